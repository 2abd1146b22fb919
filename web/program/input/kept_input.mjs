// What of the input inside a figure the page around it hears. What the figure has used stays with it, or a page that turns
// with the keys, or a deck whose slides are swiped, would act on it as well. What it has no use for is the page's, and so
// are taps and clicks: menus close by them. Listeners of the page that capture hear everything.

import { isAltGraph, modifierKeys, ownerOf } from './keyboard.mjs';
import { scrollsInside } from './scrolling.mjs';
import { onMac } from './wheel.mjs';

const controls = 'button, summary, a[href], input:is([type="checkbox"], [type="radio"])';
const field = `:is(input, textarea, select):not(${controls})`;

/** The element inside that an event is about. */
const within = (event, selector) => event.composedPath()[0].matches?.(selector) ?? false;
const used = (event) => event.defaultPrevented;
const inField = (event) => within(event, field);
const usedOrInField = (event) => used(event) || inField(event);
const always = () => true;

/** Kinds of events, and which of them stay. Keys, and what is dragged, have state: see below. */
export const kinds = {
  beforeinput: always, input: always, compositionstart: always, compositionupdate: always, compositionend: always,
  copy: usedOrInField, cut: usedOrInField, paste: usedOrInField,
  contextmenu: used, gesturestart: used, gesturechange: used,
  dblclick: (event) => within(event, 'canvas'),
};

/** Whether something inside uses a key, beside what it has prevented the default of. */
function usesKey(event) {
  const { key, ctrlKey, shiftKey, altKey, metaKey } = event;
  if (!key || modifierKeys.has(key)) return false; // a field that the browser fills in tells of no key
  if (event.isComposing || event.keyCode === 229) return true; // the input method's
  if (within(event, controls)) return key === 'Enter' || key === ' ' || (within(event, '[type="radio"]') && /^Arrow/.test(key));
  const altGraph = isAltGraph(event);
  const owner = ownerOf({ key, ctrlKey, shiftKey, altKey, metaKey, altGraph }, { takesText: true, onMac: onMac() });
  if (inField(event)) return owner !== 'browser' && key !== 'Tab' && key !== 'Escape';
  return within(event, 'canvas') && owner === 'paste'; // a paste event follows
}

export const stop = (event) => event.stopPropagation();
export const keyKinds = ['keydown', 'keypress', 'keyup'];
export const touchKinds = ['touchstart', 'touchmove', 'touchend', 'touchcancel'];

function keepKeys(root, pageHasKeys) {
  const down = new Set(); // keys that stay until they are released
  root.addEventListener('keydown', (event) => {
    const stays = pageHasKeys() ? inField(event) && usesKey(event) : used(event) || usesKey(event);
    if (stays) stop(event);
    down[stays ? 'add' : 'delete'](event.code);
  });
  root.addEventListener('keypress', (event) => down.has(event.code) && stop(event));
  root.addEventListener('keyup', (event) => down.delete(event.code) && stop(event));
}

/**
 * A drag is the page's until it moves something: the page has heard of its beginning by then. So it is told that it is
 * over, in the way of each kind of event, and hears no more of it.
 */
function keepDrags(root, host) {
  const begun = new Map(); // what is down, a pointer's number, 'mouse' or 'touch' → the event that the page has heard
  const kept = new Set(); // of these
  const on = (kind, handler) => root.addEventListener(kind, handler);
  const end = (what, makeEvent) => {
    if (kept.has(what)) return;
    kept.add(what);
    const first = begun.get(what);
    if (first) host.dispatchEvent(makeEvent(first));
  };

  on('pointerdown', (event) => {
    kept.delete('mouse');
    begun.set(event.pointerId, event);
  });
  on('mousedown', (event) => begun.set('mouse', event));
  on('pointermove', (event) => {
    const { pointerId, pointerType } = event;
    if (used(event)) {
      end(pointerId, (first) => new PointerEvent('pointercancel', first));
      // Released where it was pressed: this, too, is no way across the page.
      if (pointerType !== 'touch') end('mouse', (first) => new MouseEvent('mouseup', first));
    }
    if (kept.has(pointerId)) stop(event);
  });
  for (const kind of ['pointerup', 'pointercancel']) {
    on(kind, ({ pointerId }) => begun.delete(pointerId));
    on(kind, (event) => kept.delete(event.pointerId) && stop(event));
  }
  on('mousemove', (event) => event.buttons && kept.has('mouse') && stop(event));
  on('mouseup', (event) => kept.has('mouse') && stop(event));
  on('click', (event) => event.detail > 0 && kept.delete('mouse') && stop(event));

  const cancelled = ({ changedTouches }) => {
    const touches = [...changedTouches].map(({ identifier, clientX, clientY, pageX, pageY, screenX, screenY }) => (
      new Touch({ identifier, target: host, clientX, clientY, pageX, pageY, screenX, screenY })));
    return new TouchEvent('touchcancel', { bubbles: true, composed: true, changedTouches: touches });
  };
  for (const kind of touchKinds) {
    on(kind, (event) => {
      const { touches: [finger], touches } = event;
      if (kind === 'touchstart' && touches.length === 1) begun.set('touch', event);
      const from = begun.get('touch')?.touches[0];
      const turned = kind === 'touchmove' && from &&
        scrollsInside(event, root, from.clientX - finger.clientX, from.clientY - finger.clientY);
      if (turned || (used(event) && kind !== 'touchend')) end('touch', cancelled);
      if (kept.has('touch')) stop(event);
      if (touches.length === 0) kept.delete('touch');
    });
  }
}

/**
 * @param {ShadowRoot} root
 * @param {HTMLElement} host of it
 * @param {() => boolean} pageHasKeys whether the page hears all keys but those that are typed into a field
 */
export function keepInput(root, host, pageHasKeys) {
  for (const [kind, stays] of Object.entries(kinds)) root.addEventListener(kind, (event) => stays(event) && stop(event));
  root.addEventListener('wheel', (event) => {
    if (used(event) || scrollsInside(event, root, event.deltaX, event.deltaY)) stop(event);
  }, { passive: true });
  keepKeys(root, pageHasKeys);
  keepDrags(root, host);
}
