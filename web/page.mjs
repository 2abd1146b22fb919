// The stand-alone page: one attention-live that fills the window, and whose state the page's address follows.

import { followAddress } from './program/address.mjs';
import { mount } from './program/boot.mjs';

const container = document.querySelector('#attention-live');
container.addEventListener('attention-live-title', (event) => {
  document.title = event.detail;
});
// Written into the page by what puts it into a frame without an address of its own, as a notebook does.
const written = document.querySelector('meta[name="attention-live-link"]')?.content ?? '';
window.attentionLive = mount(container, { link: () => location.hash || written });
followAddress(container, window.attentionLive);
