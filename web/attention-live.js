// The one module that a page includes: <script type="module" src="attention-live.js"></script> defines <attention-live>.
// attention-live.d.ts describes it.

import { AttentionLiveElement } from './element/element.mjs';

if (!customElements.get('attention-live')) customElements.define('attention-live', AttentionLiveElement);

export { AttentionLiveElement };
