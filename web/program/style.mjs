// Styles of the elements around the canvas, in a page and in a shadow tree. A constructed sheet, because a strict content
// security policy allows it.

const rules = `
.attention-live {
  --paper: var(--attention-live-paper, #f6f5f1); --ink: var(--attention-live-ink, #1b1f24);
  --quiet: var(--attention-live-ink, #5d6570); --line: #d3d1ca; --accent: var(--attention-live-accent, #2f6fb3);
  color: var(--ink); font: 16px/1.5 var(--attention-live-font, system-ui, sans-serif);
}
@media (prefers-color-scheme: dark) {
  .attention-live:not([data-theme="light"]) {
    --paper: var(--attention-live-paper, #15181c); --ink: var(--attention-live-ink, #e8e6e1);
    --quiet: var(--attention-live-ink, #9aa2ac); --line: #363c44; --accent: var(--attention-live-accent, #79b0ea);
  }
}
.attention-live[data-theme="dark"] {
  --paper: var(--attention-live-paper, #15181c); --ink: var(--attention-live-ink, #e8e6e1);
  --quiet: var(--attention-live-ink, #9aa2ac); --line: #363c44; --accent: var(--attention-live-accent, #79b0ea);
}
.attention-live-canvas {
  position: absolute; inset: 0; display: block; width: 100%; height: 100%; visibility: hidden;
  touch-action: none; user-select: none; -webkit-user-select: none; -webkit-touch-callout: none;
  -webkit-tap-highlight-color: transparent;
}
/* In somebody else's page one finger scrolls that page. */
.attention-live-guest > .attention-live-canvas { touch-action: pan-x pan-y; }
.attention-live-ready > .attention-live-canvas { visibility: visible; }
.attention-live-canvas:focus { outline: none; }
.attention-live-canvas:focus-visible:not(.by-pointer) { outline: 1px solid var(--accent); outline-offset: -1px; }
.attention-live-paper {
  position: absolute; inset: 0; z-index: 1; width: 100%; height: 100%; object-fit: contain; background: var(--paper);
}
@media screen { .attention-live-paper { display: none; } }
/* A file is held over it. */
.attention-live-drop::after {
  content: ""; position: absolute; inset: 4px; border: 2px dashed var(--accent); border-radius: 8px;
  pointer-events: none;
}
/* Takes text for the program. Seen only while an input method composes, at the caret of the field that is edited. */
.attention-live-text {
  position: absolute; left: 0; top: 0; width: 1px; height: 1em; margin: 0; padding: 0; border: 0; outline: none;
  background: transparent; color: transparent; caret-color: transparent; font: inherit; line-height: 1;
  white-space: pre; overflow: hidden; resize: none; opacity: 0; pointer-events: none;
}
.attention-live-text.composing { width: 16em; background: var(--paper); color: var(--ink); opacity: 1; }
.attention-live-status {
  position: absolute; inset: 0; display: flex; flex-direction: column; align-items: center; justify-content: center;
  gap: 16px; padding: 24px; text-align: center;
  animation: attention-live-late 1ms 400ms backwards;
}
/* A quick start shows nothing that is gone at once, and saves the browser the drawing of it. */
@keyframes attention-live-late { from { visibility: hidden; } }
.attention-live-failed > .attention-live-status { animation: none; }
.attention-live-ready > .attention-live-status { display: none; }
.attention-live-sentence {
  max-width: 34em; margin: 0; color: var(--quiet); font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
.attention-live-failed .attention-live-sentence { color: var(--ink); }
.attention-live-progress {
  width: min(240px, 60%); height: 4px; border: 0; border-radius: 2px; background: var(--line);
  accent-color: var(--accent); appearance: none; overflow: hidden;
}
.attention-live-progress::-webkit-progress-bar { background: var(--line); }
.attention-live-progress::-webkit-progress-value { background: var(--accent); }
.attention-live-progress::-moz-progress-bar { background: var(--accent); }
.attention-live-progress[hidden], .attention-live-again[hidden] { display: none; }
.attention-live-again {
  padding: 8px 16px; border: 1px solid var(--line); border-radius: 8px; background: transparent; color: inherit;
  font: inherit; cursor: pointer;
}
.attention-live-again:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.attention-live-missing {
  position: absolute; inset: auto 0 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; justify-content: center;
  gap: 8px 16px; max-height: 100%; box-sizing: border-box; overflow: auto; padding: 8px 16px;
  border-top: 1px solid var(--line); background: var(--paper); color: var(--ink);
}
.attention-live-missing > p { margin: 0; overflow-wrap: anywhere; }
.attention-live-hint {
  position: absolute; left: 50%; top: 50%; max-width: calc(100% - 32px); box-sizing: border-box; padding: 8px 16px;
  translate: -50% -50%; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); color: var(--ink);
  font-size: 14px; text-align: center; opacity: 0; pointer-events: none; transition: opacity 200ms;
}
.attention-live-hint.shown { opacity: 1; }
@media (prefers-reduced-motion: reduce) { .attention-live-hint { transition: none; } }
@media (forced-colors: active) {
  .attention-live-canvas, .attention-live-text { forced-color-adjust: none; }
  .attention-live-canvas:focus-visible:not(.by-pointer), .attention-live-again:focus-visible {
    outline: 2px solid Highlight;
  }
  .attention-live-progress { border: 1px solid CanvasText; height: 8px; }
  .attention-live-progress::-webkit-progress-value { background: Highlight; }
  .attention-live-progress::-moz-progress-bar { background: Highlight; }
}
`;

/** The sheets of each document, since a sheet only works in the document that it was made in. */
const sheets = new WeakMap();

/**
 * Gives a tree of elements a style sheet, once, or takes it away.
 * @param {Document | ShadowRoot} root
 * @param {string} text
 * @param {boolean} wanted
 */
export function adoptRules(root, text, wanted = true) {
  const owner = root.ownerDocument ?? root;
  if (!sheets.has(owner)) sheets.set(owner, new Map());
  const own = sheets.get(owner);
  if (!own.has(text)) {
    const sheet = new owner.defaultView.CSSStyleSheet();
    sheet.replaceSync(text);
    own.set(text, sheet);
  }
  const others = root.adoptedStyleSheets.filter((sheet) => sheet !== own.get(text));
  root.adoptedStyleSheets = wanted ? [...others, own.get(text)] : others;
}

/** The looks of what `mount` makes. */
export const adoptStyle = (root) => adoptRules(root, rules);
