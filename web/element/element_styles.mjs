// How the element looks around the program. What an author's own style sheet says about the element goes first.

export const rules = `
:host {
  display: block; position: relative; box-sizing: border-box; width: 100%;
  isolation: isolate; overflow: hidden; border-radius: var(--attention-live-radius, 0);
  --paper: var(--attention-live-paper, #f6f5f1); --ink: var(--attention-live-ink, #1b1f24);
  --quiet: var(--attention-live-ink, #5d6570); --line: #d3d1ca; --accent: var(--attention-live-accent, #2f6fb3);
  background: var(--paper); color: var(--ink); font: 16px/1.5 var(--attention-live-font, system-ui, sans-serif); text-align: start;
}
:host([hidden]) { display: none; }
:host(:fullscreen) {
  width: 100vw !important; height: 100vh !important; max-width: none !important; max-height: none !important;
  min-height: 0 !important; margin: 0 !important; border: 0 !important; aspect-ratio: auto;
}
/* The element itself may be laid out, and its text set, as its page likes: all that is in it rests on a box of its own. */
.box {
  position: relative; height: 100%; min-height: inherit; color: var(--ink);
  font: 16px/1.5 var(--attention-live-font, system-ui, sans-serif); letter-spacing: normal; word-spacing: normal;
  text-align: start; text-indent: 0; text-transform: none; white-space: normal;
}
/* What a lesson stands beside. */
.figure { position: relative; height: 100%; min-height: inherit; overflow: hidden; }
/* The size where the author has set none: in an element of its own, so that any height of theirs goes before it. */
.size { width: 100%; aspect-ratio: 16 / 10; min-height: 360px; }
.program, .still { position: absolute; inset: 0; overflow: hidden; }
.still { background: var(--paper); }
.still:empty { display: none; }
.picture { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.picture.paper { background: var(--paper); }
@media screen { .picture.paper { display: none; } }
.drawing { position: absolute; inset: 0; visibility: hidden; pointer-events: none; overflow: hidden; }
.panel {
  position: absolute; inset: 0; display: flex; flex-direction: column; align-items: center; justify-content: center;
  margin: 0; padding: 16px; text-align: center; color: var(--quiet);
}
.panel strong { color: var(--ink); font-weight: 600; }
/* Progress would stand on the picture. */
.still:not(:empty) + .program:not(.attention-live-failed) > .attention-live-status { opacity: 0; }
@media print {
  :host { break-inside: avoid; }
  button.full, button.go { display: none; }
}
.program.attention-live-failed { background: var(--paper); }
/* What cannot go on shows its last picture, and says so under it. */
.still:has(canvas) + .program.attention-live-failed { background: none; }
.still:has(canvas) + .program.attention-live-failed > .attention-live-status {
  inset: auto 0 0; padding: 8px; background: var(--paper); border-top: 1px solid var(--line);
}
button.go, button.full {
  position: absolute; display: grid; place-items: center; padding: 0; border: 1px solid var(--line);
  background: var(--paper); color: var(--ink); cursor: pointer;
}
button.go {
  left: 50%; top: 50%; width: 64px; height: 64px; translate: -50% -50%; border-radius: 50%; border-color: var(--quiet);
}
.still:has(.panel) ~ button.go { top: calc(50% + 72px); }
.corner { position: absolute; inset: 0; container-type: size; pointer-events: none; }
.corner > button { pointer-events: auto; }
button.full {
  right: 4px; bottom: 6px; width: 32px; height: 32px; border-color: transparent; border-radius: var(--attention-live-radius, 8px);
  background: transparent; color: var(--quiet); opacity: 0;
}
:host(:hover) button.full, button.full:focus-visible, :host(:focus-within) button.full { opacity: 1; }
@media (hover: none) { button.full { opacity: 1; } }
/* Without the line of steps, that corner belongs to the panel. */
:host([hide~="steps"]:not([hide~="panel"])) button.full { right: auto; left: 4px; }
button.full:hover { color: var(--ink); border-color: var(--line); background: var(--paper); }
/* Where the figure is as narrow as a phone its step bar reaches into the corner: only keys find the button. */
@container (max-width: 599px) { button.full:not(:focus-visible) { opacity: 0 !important; pointer-events: none; } }
button[hidden] { display: none; }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.program button { border-radius: var(--attention-live-radius, 8px) !important; }
svg { width: 60%; height: 60%; fill: none; stroke: currentColor; stroke-width: 1.6; }
@media (forced-colors: active) {
  :host { border: 1px solid CanvasText; }
  button.go, button.full { border-color: ButtonBorder; background: ButtonFace; color: ButtonText; opacity: 1; }
  button:focus-visible { outline-color: Highlight; }
}
`;

/** Over these, where the figure is dark. */
export const darkRules = `
:host(*) { --paper: var(--attention-live-paper, #15181c); --ink: var(--attention-live-ink, #e8e6e1);
  --quiet: var(--attention-live-ink, #9aa2ac); --line: #363c44; --accent: var(--attention-live-accent, #79b0ea); }
`;

const parts = { sentence: 'sentence', again: 'button try-again', read: 'button read' };

/** Names what the program has made, for style sheets of authors. */
export function nameParts(container) {
  for (const [name, part] of Object.entries(parts)) {
    const element = container.querySelector(`.attention-live-${name}`);
    if (element) element.part = part;
  }
}
