import { mount } from 'svelte';

import Figure from './Figure.svelte';

mount(Figure, { target: document.querySelector('#root') });
