// The stand-alone page: one attention-live that fills the window.

import { mount } from './boot.mjs';

const container = document.querySelector('#attention-live');
container.addEventListener('attention-live-title', (event) => {
  document.title = event.detail;
});
window.attentionLive = mount(container);
