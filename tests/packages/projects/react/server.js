import 'attention-live';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';

import { Page } from './page.js';

console.log(renderToString(createElement(Page)));
