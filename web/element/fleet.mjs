// Decides which figures of a page run. Browsers keep about sixteen GL contexts alive and drop the oldest one, so at most
// six figures run at a time: those nearest to the visible part of the page. The others release their contexts.

import { press } from './press.mjs';

const most = 6;
const startWithin = '100% 0px'; // a screen above and below what is seen
const stopBeyond = '250% 0px';
const pause = 120; // milliseconds between two looks at a page that is scrolled
// A running figure counts as nearer by this part of the screen. Otherwise two at the same distance would alternate.
const stay = 0.25;
// A figure that a script has started counts as no farther away than this: what is in sight goes before it.
const asked = 0.5;

/**
 * A member is {element, wanted(): 'no' | 'near' | 'now', pinned(): boolean, asked(): boolean, running: boolean,
 * start(): Promise, stop(), passOver(yes), see(yes), isPlain(): boolean, draw(): Promise<number>}: told whether others run in its
 * place, and whether it is in sight; whether it lacks a picture, and draws one without running.
 */
const members = new Map(); // element → {member, near, far, observed}: whether it is known how near it is
let observers = null;
let running = false; // a figure has run, so that the program is there
let timer = 0;
let starting = false;

function observe() {
  const watch = (rootMargin, note) => new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const entry = members.get(target);
      if (entry) note(entry, isIntersecting);
    }
    arrange();
  }, { rootMargin, scrollMargin: rootMargin }); // within what scrolls in the page, too, where browsers know how
  return [
    // First, because a figure begins to play only if it is in sight when it starts.
    watch('0px', ({ member }, inside) => member.see(inside)),
    watch(startWithin, (entry, inside) => { Object.assign(entry, { near: inside, observed: true }); }),
    watch(stopBeyond, (entry, inside) => { entry.far = !inside; }),
  ];
}

/** The distance from the middle of the screen, in screens. */
function distance({ member, near }) {
  if (member.pinned()) return -1;
  const { top, bottom, height } = member.element.getBoundingClientRect();
  const middle = Math.abs((top + bottom - innerHeight) / 2) / innerHeight;
  const outside = Math.max(0, top - innerHeight, -bottom) / innerHeight;
  const away = height === 0 && !near ? Infinity : outside * 8 + middle / 8;
  return Math.min(away, member.asked() ? asked : Infinity) - (member.running ? stay : 0);
}

/** The nearest figure that has no picture and can be given one. */
function lacking() {
  if (starting) return undefined;
  const plain = [...members.values()].filter(({ member, observed }) => observed && member.isPlain());
  const [first] = plain.map((entry) => ({ entry, at: distance(entry) })).sort((a, b) => a.at - b.at);
  return first?.entry.member;
}

/** Starts and stops figures as needed. */
function arrange() {
  clearTimeout(timer);
  timer = 0;
  const mayRun = [...members.values()].filter((entry) => {
    const { member, near, far } = entry;
    const wanted = member.wanted();
    if (wanted === 'no') return false;
    return wanted === 'now' || near || member.pinned() || (member.running && !far);
  });
  const order = mayRun.map((entry) => ({ entry, at: distance(entry) })).sort((a, b) => a.at - b.at);
  const chosen = new Set(order.slice(0, most).map(({ entry }) => entry.member));
  for (const { member } of members.values()) if (member.running && !chosen.has(member)) member.stop();
  for (const { member, near } of members.values()) member.passOver(near && member.wanted() !== 'no' && !chosen.has(member));
  const next = [...chosen].find((member) => !member.running);
  if (!next && running && !starting) press(lacking);
  if (!next || starting) return;
  // One after another, so that the page stays responsive and the nearest one is first.
  starting = true;
  next.start().then(() => { running = true; }, () => {}).then(() => {
    starting = false;
    arrange();
  });
}

/** Schedules an update, one for several calls. */
export function rearrange() {
  timer ||= setTimeout(arrange, 0);
}

function scrolled() {
  if (members.size > most) timer ||= setTimeout(arrange, pause);
}

/** @param {object} member see above */
export function join(member) {
  if (!observers) {
    observers = observe();
    document.addEventListener('scroll', scrolled, { capture: true, passive: true });
  }
  members.set(member.element, { member, near: false, far: true, observed: false });
  for (const observer of observers) observer.observe(member.element);
  rearrange();
}

export function leave(member) {
  members.delete(member.element);
  for (const observer of observers ?? []) observer.unobserve(member.element);
  if (members.size > 0) {
    rearrange();
    return;
  }
  for (const observer of observers ?? []) observer.disconnect();
  observers = null;
  document.removeEventListener('scroll', scrolled, { capture: true });
  clearTimeout(timer);
  timer = 0;
}
