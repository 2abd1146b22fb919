// Whether a figure is dark: its attribute says so, else the site by the CSS property color-scheme, else the system.

const system = () => matchMedia('(prefers-color-scheme: dark)');

/** @param {HTMLElement} element in a page */
export function isDark(element) {
  const theme = element.getAttribute('theme');
  const said = theme === 'light' || theme === 'dark' ? theme : getComputedStyle(element).colorScheme ?? '';
  const [light, dark] = [/\blight\b/.test(said), /\bdark\b/.test(said)];
  return light === dark ? system().matches : dark;
}

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
