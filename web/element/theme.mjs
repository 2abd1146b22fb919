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

/**
 * The colours that the site gives by --attention-live-paper, -ink and -accent, in whatever form CSS knows.
 * @param {HTMLElement} element in a page
 * @param {HTMLElement} probe within it; its colour is set for a moment
 * @returns {{paper?: string, ink?: string, accent?: string}} each as #1b2c3d
 */
function siteColours(element, probe) {
  const style = getComputedStyle(element);
  const colours = {};
  for (const name of properties) {
    const property = `--attention-live-${name}`;
    if (style.getPropertyValue(property).trim() === '') continue;
    probe.style.color = `var(${property})`;
    const colour = hexOf(getComputedStyle(probe).color);
    if (colour) colours[name] = colour;
  }
  probe.style.removeProperty('color');
  return colours;
}

/**
 * What a figure looks like: whether it is dark, and the site's colours. See the options of mount() in boot.mjs.
 * @param {HTMLElement} element
 * @param {HTMLElement} probe within it; its colour is set for a moment
 */
export const lookOf = (element, probe) => ({ dark: isDark(element), colours: siteColours(element, probe) });

/**
 * Calls `changed` when the site or the system may have changed its theme. Sites do it by an attribute of <html> or <body>.
 * @param {AbortSignal} signal ends it
 */
export function followTheme(changed, signal) {
  const observer = new MutationObserver(changed);
  for (const each of [document.documentElement, document.body]) if (each) observer.observe(each, { attributes: true });
  signal.addEventListener('abort', () => observer.disconnect());
  system().addEventListener('change', changed, { signal });
}
