// Links in an author's text that set a figure: <a href="#step=softmax" data-attention-live="figure">. Links may be added
// later. With data-attention-live-hover the figure also shows the state while the link is hovered or has the focus.
//
// The routers of sites follow every link of a page by scripts, and some listen at the window before anything else does.
// So these listeners are there, too; and a link that is about to be followed looks for that moment like one that opens
// another tab, which every router leaves alone.

const selector = 'a[data-attention-live]';

const late = 1000; // milliseconds after the page has loaded, in which a framework may make its figures
const soon = 500; // milliseconds in which the click of a press comes, if it comes

const missed = new Set(); // ids that the console has been told of

/** The figure that a link means. null where there is none: then its author is told in the console, once. */
function figureOf(link) {
  const id = link.getAttribute('data-attention-live');
  const root = link.getRootNode();
  const figure = (id && (root.getElementById?.(id) ?? document.getElementById(id))) || null;
  if (figure && typeof figure.setState === 'function' && 'link' in figure) return figure;
  if (!missed.has(id)) console.warn(`attention-live: a link is for the figure “${id}”, and no <attention-live> has that id.`, link);
  missed.add(id);
  return null;
}

const linkIn = (event) => event.composedPath().find((node) => node instanceof Element && node.matches(selector)) ?? null;

/** The part of an address behind its “#”, as it was written; null where it leads to another page. */
function wanted(link) {
  const address = link.getAttribute('href') ?? link.getAttribute('xlink:href') ?? '';
  if (address.startsWith('#')) return address;
  const [page, part] = address.split(/(?=#)/s);
  const here = URL.canParse(page, document.baseURI) && new URL(page, document.baseURI).href === location.href.split('#', 1)[0];
  return part && here ? address.slice(page.length) : null;
}

let held = null; // {link, target, timer}: a link that looks like one that opens a tab, and the target that it has

/** Whether the page's own browser is to follow it: into a tab, or as a download. */
function leaves(event, link) {
  const target = held?.link === link ? held.target : link.getAttribute('target');
  return event.button > 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link.hasAttribute('download') ||
    !/^(_self)?$/i.test(target ?? '');
}

function release() {
  if (!held) return;
  const { link, target, timer } = held;
  clearTimeout(timer);
  if (target === null) link.removeAttribute('target');
  else link.setAttribute('target', target);
  held = null;
}

/** A press has ended on a link, or Enter was pressed: what comes next is its click. */
function hold(event) {
  if (event.type === 'keydown' && event.key !== 'Enter') return;
  const link = linkIn(event);
  if (!link || leaves(event, link) || wanted(link) === null || !figureOf(link)) return;
  release();
  held = { link, target: link.getAttribute('target'), timer: setTimeout(release, soon) };
  link.setAttribute('target', '_blank');
}

/** Has the page told of links whose figures there are not. */
export function checkProse() {
  const check = () => setTimeout(() => document.querySelectorAll(selector).forEach(figureOf), late);
  if (document.readyState === 'complete') check();
  else window.addEventListener('load', check, { once: true });
}

/** @param {(figure: HTMLElement) => object} handle of a figure: follow(link), and hover(link | null) */
export function connectProse(handle) {
  /** Before all other listeners of the page but those at the window that were there earlier. */
  const listen = (types, heard) => types.forEach((type) => window.addEventListener(type, heard, true));

  listen(['pointerup', 'keydown'], hold);
  listen(['click'], (event) => {
    const link = linkIn(event);
    const [figure, address] = link && !leaves(event, link) ? [figureOf(link), wanted(link)] : [null, null];
    // Routers further on leave it alone as well, while the page's own listeners hear of it.
    setTimeout(release, 0);
    if (!figure || address === null) return;
    event.preventDefault();
    handle(figure).follow(address);
  });

  let shown = null; // {link, figure} that is shown for as long as it is pointed to
  function out() {
    if (shown) handle(shown.figure).hover(null);
    shown = null;
  }
  listen(['pointerover', 'focusin'], (event) => {
    const link = linkIn(event);
    if (!link?.hasAttribute('data-attention-live-hover') || shown?.link === link) return;
    out();
    const figure = figureOf(link);
    const address = link.getAttribute('data-attention-live-hover') || wanted(link);
    if (!figure || !address) return;
    shown = { link, figure };
    handle(figure).hover(address);
  });
  listen(['pointerout', 'focusout'], (event) => {
    if (shown && (event.type === 'focusout' || !shown.link.contains(event.relatedTarget))) out();
  });
}
