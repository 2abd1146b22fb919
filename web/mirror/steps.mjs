// Controls for the steps of the lesson: previous and next, a list, play, and the progress of the present step.

import { button, make, selection, slider, write } from './dom.mjs';
import { textFor } from '../texts/mirror.mjs';

/** Disables a button. One that has the focus gets aria-disabled instead, because it would lose the focus. */
export function enable(each, able) {
  each.disabled = !able && each.getRootNode().activeElement !== each;
  if (each.disabled || able) each.removeAttribute('aria-disabled');
  else each.setAttribute('aria-disabled', 'true');
}

/** A button that `enable` may be told of. */
export function deed(text, onclick) {
  return button(text, (event) => {
    if (event.currentTarget.getAttribute('aria-disabled') !== 'true') onclick();
  });
}

/**
 * @param {object} api of program/api.mjs
 * @param {(action: () => void) => boolean} ask carries out an action
 */
export function createSteps(api, ask) {
  const text = textFor(api);
  const set = (part) => ask(() => api.set(part));
  const list = make('ol');
  let order = [];
  let here = 0;
  let playing = false;
  const go = (to) => set({ step: order[to].id });
  const previous = deed(text('mirror.steps.previous'), () => go(here - 1));
  const next = deed(text('mirror.steps.next'), () => go(here + 1));
  const play = button(text('mirror.steps.play'), () => ask(() => api.play(!playing)), { 'aria-pressed': 'false' });
  const speed = selection(text('mirror.steps.speed'), (value) => ask(() => api.play(playing, Number(value))));
  const speeds = [
    { id: '0.5', label: text('mirror.steps.half') }, { id: '1', label: text('mirror.steps.normal') },
    { id: '2', label: text('mirror.steps.double') },
  ];
  const scrub = slider(text('mirror.steps.progress'), (value) => ask(() => {
    api.play(false);
    api.set({ scrub: value });
  }));

  function updateList(steps) {
    if (order.map(({ id }) => id).join() !== steps.map(({ id }) => id).join()) {
      order = steps;
      list.replaceChildren(...steps.map(({ label }, i) => make('li', {}, [button(label, () => go(i))])));
    }
    [...list.children].forEach((item, i) => {
      if (i === here) item.firstChild.setAttribute('aria-current', 'step');
      else item.firstChild.removeAttribute('aria-current');
    });
  }

  return {
    element: make('div', {}, [
      make('h3', { text: text('mirror.steps.title') }), make('div', { class: 'bar' }, [previous, next, play]), list,
      scrub.element, speed.element,
    ]),

    update(choices, state, now) {
      here = choices.steps.findIndex(({ id }) => id === state.step);
      updateList(choices.steps);
      enable(previous, here > 0);
      enable(next, here + 1 < order.length);
      playing = now.playing;
      play.setAttribute('aria-pressed', String(playing));
      write(play, playing ? text('mirror.steps.stop') : text('mirror.steps.play'));
      speed.update(speeds, String(now.speed));
      scrub.update(state.scrub, text('mirror.steps.percent', { percent: Math.round(state.scrub * 100) }));
    },
  };
}
