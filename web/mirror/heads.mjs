// Switches for the heads of the attention on screen. The output of a head that is off counts as 0.

import { group, make, toggle } from './dom.mjs';
import { textFor } from '../texts/mirror.mjs';

/**
 * @param {object} api of program/api.mjs
 * @param {(action: () => void) => boolean} ask carries out an action
 */
export function createHeads(api, ask) {
  const text = textFor(api);
  const row = make('div', { class: 'bar' });
  const element = group(text('mirror.heads.title'), [row]);
  let switches = [];

  function take(head, on) {
    const { attention, ablated_heads: all } = api.state();
    const off = (all[attention] ?? []).filter((each) => each !== head);
    if (!on) off.push(head);
    const rest = Object.fromEntries(Object.entries(all).filter(([name]) => name !== attention));
    ask(() => api.set({ ablated_heads: off.length > 0 ? { ...rest, [attention]: off.sort((a, b) => a - b) } : rest }));
  }

  return {
    element,

    update(choices, state) {
      if (switches.length !== choices.heads) {
        switches = Array.from({ length: choices.heads }, (_, head) => (
          toggle(text('mirror.heads.head', { head }), (on) => take(head, on))));
        row.replaceChildren(...switches.map((each) => each.element));
      }
      const off = state.ablated_heads[state.attention] ?? [];
      switches.forEach((each, head) => each.update(!off.includes(head)));
    },
  };
}
