import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { Figure } from './Figure.jsx';

createRoot(document.querySelector('#root')).render(createElement(StrictMode, null, createElement(Figure)));
