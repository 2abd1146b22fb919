// How a lesson looks beside its figure, or under it where there is no room.

export const rules = `
.box { display: flex; flex-wrap: wrap; container-type: inline-size; overflow-y: auto; }
.figure { flex: none; width: 100%; height: auto; min-height: 360px; }
/* Under it the lesson begins in sight, and what is left of it is scrolled to. */
.figure:not(:last-child) { max-height: max(360px, 60%); }
.lesson {
  box-sizing: border-box; flex: none; width: 100%; display: flex; flex-direction: column; gap: 12px; padding: 20px 24px;
  position: relative; z-index: 1; box-shadow: 0 0 0 1px var(--line); background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font-size: 15px;
}
@container (min-width: 860px) {
  .figure { flex: 1 1 0; min-width: 0; }
  .figure:not(:last-child) { max-height: 100%; }
  .lesson { flex: 0 0 300px; max-height: 100%; overflow-y: auto; }
}
.lesson header { display: flex; align-items: baseline; justify-content: space-between; gap: 16px; }
.lesson h2 { margin: 0; font-size: 18px; line-height: 1.3; font-weight: 600; }
.lesson .progress { flex: none; color: var(--quiet); font-size: 14px; font-variant-numeric: tabular-nums; }
.lesson p { margin: 0; }
.lesson .step { display: grid; gap: 12px; }
.lesson .end { color: var(--quiet); }
.lesson .question { display: grid; gap: 10px; padding: 14px 16px; border: 1px solid var(--line); border-radius: var(--attention-live-radius, 8px); }
.lesson [hidden] { display: none; }
.lesson .question p { font-weight: 600; }
.lesson .way { display: flex; flex-wrap: wrap; gap: 8px; }
.lesson input {
  box-sizing: border-box; flex: 1 1 6em; min-width: 0; padding: 6px 10px; border: 1px solid var(--quiet);
  border-radius: var(--attention-live-radius, 8px); background: var(--paper); color: inherit; font: inherit;
  font-variant-numeric: tabular-nums;
}
.lesson output { display: grid; gap: 4px; }
.lesson output:empty { display: none; }
.lesson .question[data-verdict="right"] { border-color: var(--accent); }
.lesson .question[data-verdict="right"] output > :first-child::before { content: "✓ "; color: var(--accent); }
.lesson output > :nth-child(2) { color: var(--quiet); }
.lesson button {
  min-height: 36px; padding: 6px 14px; border: 1px solid var(--line); border-radius: var(--attention-live-radius, 8px);
  background: transparent; color: inherit; font: inherit; cursor: pointer;
}
.lesson button:hover:enabled { border-color: var(--quiet); }
.lesson button:disabled { cursor: default; color: var(--quiet); opacity: 0.6; }
.lesson .check, .lesson .next:enabled { border-color: var(--accent); }
.lesson nav { display: flex; gap: 8px; justify-content: space-between; padding-top: 12px; border-top: 1px solid var(--line); }
.lesson .again {
  align-self: flex-start; min-height: 24px; margin-top: auto; padding: 0; border: 0; color: var(--quiet); font-size: 13px;
  text-decoration: underline; text-underline-offset: 3px;
}
.lesson :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.lesson .wrong + button { align-self: flex-start; }
@media (forced-colors: active) { .lesson { border: 1px solid CanvasText; } .lesson :focus-visible { outline-color: Highlight; } }
@media print { .lesson nav, .lesson .again, .lesson .way { display: none; } }
`;
