// The one module that a page includes: <script type="module" src="attention-live.js"></script> defines <attention-live>.
// attention-live.d.ts describes it.

import { AttentionLiveElement } from './element/element.mjs';

// A server that renders a page has no customElements: the tag travels as it is, and the reader's browser fills it.
if (globalThis.customElements && !customElements.get('attention-live')) {
  customElements.define('attention-live', AttentionLiveElement);
}

export { AttentionLiveElement };
