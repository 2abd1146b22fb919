// Whether a figure is dark: its attribute says so, else the site by the CSS property color-scheme, else the system.

const system = () => matchMedia('(prefers-color-scheme: dark)');

/** @param {HTMLElement} element in a page */
export function isDark(element) {
  const theme = element.getAttribute('theme');
  const said = theme === 'light' || theme === 'dark' ? theme : getComputedStyle(element).colorScheme ?? '';
  const [light, dark] = [/\blight\b/.test(said), /\bdark\b/.test(said)];
  return light === dark ? system().matches : dark;
}

const properties = ['paper', 'ink', 'accent'];

/** A colour as CSS computes it, as #1b2c3d, or null where it is transparent. */
function hexOf(colour) {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
  return alpha < 255 ? null : `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

const read = new WeakMap(); // probe → what its colours were read of, and what they were

/**
 * The colours that the site gives by --attention-live-paper, -ink and -accent, in whatever form CSS knows.
 * @param {HTMLElement} element in a page
 * @param {HTMLElement} probe within it; its colour is set for a moment, where the site says anything new
 * @returns {{paper?: string, ink?: string, accent?: string}} each as #1b2c3d
 */
function siteColours(element, probe) {
  const style = getComputedStyle(element);
  const given = properties.map((name) => style.getPropertyValue(`--attention-live-${name}`).trim());
  if (given.every((each) => each === '')) return {};
  const from = [...given, style.colorScheme, style.color].join(';'); // light-dark() and currentColor follow these
  if (read.get(probe)?.from === from) return read.get(probe).colours;
  const colours = {};
  for (const [index, name] of properties.entries()) {
    if (given[index] === '') continue;
    probe.style.color = `var(--attention-live-${name})`;
    const colour = hexOf(getComputedStyle(probe).color);
    if (colour) colours[name] = colour;
  }
  probe.style.removeProperty('color');
  read.set(probe, { from, colours });
  return colours;
}

/**
 * What a figure looks like: whether it is dark, and the site's colours. See the options of mount() in boot.mjs.
 * @param {HTMLElement} element
 * @param {HTMLElement} probe within it; its colour is set for a moment
 */
export const lookOf = (element, probe) => ({ dark: isDark(element), colours: siteColours(element, probe) });

const followers = new Map(); // element → {changed(), watch()}
let frame = 0;

/** To read styles, the browser computes those of the whole page: it is done once a frame, when they are computed anyway. */
function soon() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    for (const { changed } of followers.values()) changed();
  });
}

/** Whether an attribute that changed can change a look. Inline styles that only move something cannot. */
function matters({ attributeName, target, oldValue }) {
  if (attributeName !== 'style') return target.getAttribute(attributeName) !== oldValue;
  const before = document.createElement('i').style;
  before.cssText = oldValue ?? '';
  return [...new Set([...before, ...target.style])].some((name) => /^(--|color)/.test(name) &&
    before.getPropertyValue(name) !== target.style.getPropertyValue(name));
}

/**
 * Calls `changed`, at most once a frame, when the site or the system may have changed its theme: by an attribute of
 * anything that the element is in, by a style sheet that has come or gone, or when a transition of such colours has ended.
 * @param {HTMLElement} element in a page
 * @param {AbortSignal} signal ends it
 */
export function followTheme(element, changed, signal) {
  const attributes = new MutationObserver((records) => { if (records.some(matters)) soon(); });
  const sheets = new MutationObserver(soon);
  let moving = null; // ends the listeners of the last place
  const around = new Set();
  function watch() {
    attributes.disconnect();
    moving?.abort();
    moving = new AbortController();
    around.clear();
    for (let at = element; at; at = at.assignedSlot ?? at.parentNode ?? at.host) {
      around.add(at);
      // The element's own attributes are its state; only these can be a theme.
      const own = at === element ? { attributeFilter: ['class', 'style'] } : {};
      if (at instanceof Element) attributes.observe(at, { attributes: true, attributeOldValue: true, ...own });
      else {
        const listening = { capture: true, signal: moving.signal };
        at.addEventListener('load', ({ target }) => { if (/^(link|style)$/i.test(target.localName)) soon(); }, listening);
        for (const type of ['transitionend', 'animationend']) {
          at.addEventListener(type, ({ target }) => { if (around.has(target)) soon(); }, listening);
        }
      }
    }
  }
  watch();
  sheets.observe(document.head, { childList: true, subtree: true, attributeFilter: ['media', 'disabled'] });
  followers.set(element, { changed, watch });
  system().addEventListener('change', soon, { signal });
  signal.addEventListener('abort', () => {
    followers.delete(element);
    moving.abort();
    for (const each of [attributes, sheets]) each.disconnect();
  });
}

/** The element was moved: other things are around it. */
export function followAgain(element) {
  followers.get(element)?.watch();
  soon();
}
