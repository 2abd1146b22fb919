// Links in an author's text that set a figure: <a href="#step=softmax" data-attention-live="figure">. The listener is on
// the document, so links may be added later. With data-attention-live-hover the figure also shows the state while the
// link is hovered or has the focus.

const selector = 'a[data-attention-live]';

const late = 1000; // milliseconds after the page has loaded, in which a framework may make its figures

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
  const address = link.getAttribute('href') ?? '';
  return address.startsWith('#') ? address : null;
}

/** @param {(figure: HTMLElement) => object} handle of a figure: change(link, reason), and hover(link | null) */
export function connectProse(handle) {
  const check = () => setTimeout(() => document.querySelectorAll(selector).forEach(figureOf), late);
  if (document.readyState === 'complete') check();
  else window.addEventListener('load', check, { once: true });

  document.addEventListener('click', (event) => {
    const link = linkIn(event);
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return; // a new tab, a download
    const [figure, address] = [figureOf(link), wanted(link)];
    if (!figure || address === null) return;
    event.preventDefault();
    handle(figure).follow(address);
  });

  let shown = null; // {link, figure} that is shown for as long as it is pointed to
  const over = (event) => {
    const link = linkIn(event);
    if (!link?.hasAttribute('data-attention-live-hover') || shown?.link === link) return;
    out();
    const figure = figureOf(link);
    const address = link.getAttribute('data-attention-live-hover') || wanted(link);
    if (!figure || !address) return;
    shown = { link, figure };
    handle(figure).hover(address);
  };
  function out() {
    if (shown) handle(shown.figure).hover(null);
    shown = null;
  }
  const left = (event) => {
    if (shown && (event.type === 'focusout' || !shown.link.contains(event.relatedTarget))) out();
  };
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, over);
  for (const type of ['pointerout', 'focusout']) document.addEventListener(type, left);
}
