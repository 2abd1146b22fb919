// What require('attention-live') gives in Node, for servers that render pages with CommonJS. There is no figure there to be
// shown: the tag travels as it is, and attention-live.js fills it in the reader's browser. Where there are elements all the
// same, as in a desktop program on Node, it is loaded.

if (globalThis.customElements) import('./attention-live.js');

exports.AttentionLiveElement = class AttentionLiveElement {};
