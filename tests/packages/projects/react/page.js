// A page of React, made on the server and taken over in the browser. Without JSX, which would need a plugin more.

import { createElement as h } from 'react';

export const Page = () => h('main', null,
  h('h1', null, 'Week 3'),
  h('attention-live', { example: 'counting', step: 'split', load: 'eager' }));
