// Styles of the mirror, a page of text over the canvas. A constructed sheet, which works in a shadow tree and is allowed
// by a strict content security policy.

const rules = `
.attention-live-read, .attention-live-mirror {
  --paper: var(--attention-live-paper, #f6f5f1); --ink: var(--attention-live-ink, #1b1f24);
  --quiet: var(--attention-live-ink, #4f5761); --line: #8a8f98; --accent: var(--attention-live-accent, #235a96); --field: #ffffff;
}
@media (prefers-color-scheme: dark) {
  .attention-live:not([data-theme="light"]) > :is(.attention-live-read, .attention-live-mirror):not([data-theme="light"]) {
    --paper: var(--attention-live-paper, #15181c); --ink: var(--attention-live-ink, #e8e6e1);
    --quiet: var(--attention-live-ink, #b3bac3); --line: #767e89; --accent: var(--attention-live-accent, #8fc0f2); --field: #20252b;
  }
}
.attention-live[data-theme="dark"] > :is(.attention-live-read, .attention-live-mirror):not([data-theme="light"]),
.attention-live-mirror[data-theme="dark"] {
  --paper: var(--attention-live-paper, #15181c); --ink: var(--attention-live-ink, #e8e6e1);
  --quiet: var(--attention-live-ink, #b3bac3); --line: #767e89; --accent: var(--attention-live-accent, #8fc0f2); --field: #20252b;
}
.attention-live-read {
  position: absolute; inset-inline-start: 8px; top: 8px; z-index: 3; padding: 8px 16px; border: 2px solid var(--accent);
  border-radius: 8px; background: var(--paper); color: var(--ink); cursor: pointer;
  font: 15px/1.4 var(--attention-live-font, system-ui, sans-serif);
}
.attention-live-read:not(:focus):not(:active) {
  width: 1px; height: 1px; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.attention-live-mirror {
  position: absolute; inset-block: 0; inset-inline-start: 0; z-index: 2; box-sizing: border-box; width: min(100%, 46rem); overflow: auto;
  padding: 16px 20px 24px; background: var(--paper); color: var(--ink); border-inline-end: 1px solid var(--line);
  font: 15px/1.5 var(--attention-live-font, system-ui, sans-serif); text-align: start;
}
.attention-live-mirror[hidden], .attention-live-mirror [hidden] { display: none !important; }
.attention-live-mirror h2 { margin: 0 0 4px; font-size: 20px; }
.attention-live-mirror h3 { margin: 24px 0 8px; font-size: 16px; }
.attention-live-mirror p { margin: 4px 0; max-width: 42em; overflow-wrap: anywhere; }
.attention-live-mirror .quiet { color: var(--quiet); }
.attention-live-mirror .bar { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0; align-items: center; }
.attention-live-mirror .fields {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(200px, 100%), 1fr)); gap: 8px 16px;
}
.attention-live-mirror fieldset {
  min-width: 0; margin: 8px 0 16px; padding: 4px 12px 12px; border: 1px solid var(--line); border-radius: 8px;
}
.attention-live-mirror legend { padding: 0 4px; font-weight: 600; }
.attention-live-mirror .field { display: flex; flex-direction: column; min-width: 0; }
.attention-live-mirror .check { display: flex; gap: 8px; align-items: center; min-height: 32px; }
.attention-live-mirror .check input { min-height: 0; width: 18px; height: 18px; }
.attention-live-mirror label { color: var(--quiet); font-size: 13px; }
.attention-live-mirror :is(button, select, input) {
  min-height: 32px; padding: 4px 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--field);
  color: inherit; font: inherit; max-width: 100%;
}
.attention-live-mirror input[type="range"] { padding: 0; accent-color: var(--accent); }
.attention-live-mirror button { cursor: pointer; }
.attention-live-mirror button:disabled { cursor: default; opacity: 0.6; }
.attention-live-mirror [aria-current="step"], .attention-live-mirror [aria-pressed="true"],
.attention-live-mirror [aria-expanded="true"] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.attention-live-mirror ol { display: flex; flex-wrap: wrap; gap: 4px; margin: 8px 0; padding: 0; list-style: none; }
.attention-live-mirror ul { margin: 8px 0; padding: 0; list-style: none; }
.attention-live-mirror li { margin: 0 0 4px; }
.attention-live-mirror .sheet { margin: 8px 0 16px; overflow-x: auto; }
.attention-live-mirror table { direction: ltr; border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }
.attention-live-mirror caption { text-align: start; color: var(--quiet); padding-bottom: 4px; }
.attention-live-mirror :is(td, th) { padding: 4px 8px; border: 1px solid var(--line); text-align: end; white-space: nowrap; }
.attention-live-mirror th { font-weight: 600; color: var(--quiet); }
.attention-live-mirror td input { width: 7em; min-height: 0; padding: 0 4px; text-align: end; }
.attention-live-mirror :focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
.attention-live-mirror :is(h2, h3):focus { outline: none; }
.attention-live-mirror .said {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
@media (forced-colors: active) {
  .attention-live-mirror :focus-visible { outline-color: Highlight; }
}
`;

let sheet = null;

/** @param {Document | ShadowRoot} root that the mirror stands in */
export function adopt(root) {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
