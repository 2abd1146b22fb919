// The stand-alone page: one attention-live that fills the window, and whose state the page's address follows.

import { followAddress } from './program/address.mjs';
import { mount } from './program/boot.mjs';

const container = document.querySelector('#attention-live');
container.addEventListener('attention-live-title', (event) => {
  document.title = event.detail;
});
window.attentionLive = mount(container, { link: () => location.hash });
followAddress(container, window.attentionLive);
