// The code that an author copies into a page to show the present state: the element, or a frame for sites that remove
// scripts.

/** The parts of a state that are written as attributes of their own; the rest goes into `state`. */
const named = ['example', 'variant', 'step', 'attention', 'query', 'key', 'sample', 'seed', 'sentence', 'theme'];

const quoted = (text) => String(text)
  .replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const written = (attributes) => attributes.map(([name, value]) => ` ${name}="${quoted(value)}"`).join('');

/**
 * The attributes that make a state, in the order of a link.
 * @param {string} link of the program
 * @param {{head: number}} state that it is the link of
 * @param {string} controls "all", "steps" or "none"
 * @param {string} theme "light" or "dark"; "": as the link says
 * @param {string[]} steps that it leads to; empty: all
 * @returns {[string, string][]}
 */
export function attributesFor(link, state, controls = 'all', theme = '', steps = []) {
  const attributes = [];
  const rest = [];
  const parts = [...new URLSearchParams(link.slice(1))].filter(([name]) => name !== 'v');
  const oneHead = parts.some(([name, value]) => name === 'all_heads' && value === 'false') &&
    !parts.some(([name]) => name === 'mean_heads');
  for (const [name, value] of parts) {
    if (name === 'theme' && theme) continue;
    if (named.includes(name)) attributes.push([name === 'key' ? 'key-index' : name, value]); // that frameworks pass on, too
    else if (!oneHead || (name !== 'head' && name !== 'all_heads')) rest.push([name, value]);
  }
  if (oneHead) attributes.push(['head', String(state.head)]);
  if (theme) attributes.push(['theme', theme]);
  // Readable: a comma and a colon need no escape.
  const escaped = (text) => encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%3D', '=')
    .replaceAll('%3B', ';');
  if (rest.length > 0) attributes.push(['state', rest.map(([name, value]) => `${name}=${escaped(value)}`).join('&')]);
  if (controls !== 'all') attributes.push(['controls', controls]);
  if (steps.length > 0) attributes.push(['steps', steps.join(' ')]);
  return attributes;
}

/** The attributes with a language that is not the usual one: the author's page may be written in another. */
const spoken = (attributes, language) => (language === 'en' ? attributes : [...attributes, ['lang', language]]);

/**
 * @param {string} home the address of the site, with a slash at its end
 * @param {string} language of the figure
 */
export function elementCode(home, attributes, language = 'en') {
  return `<script type="module" src="${quoted(home)}attention-live.js"></script>\n` +
    `<attention-live${written(spoken(attributes, language))}></attention-live>`;
}

/** @param {string} language of the frame, which has no page around it */
export function frameCode(home, attributes, title, language = 'en') {
  const address = `${home}embed.html?${new URLSearchParams(spoken(attributes, language))}`;
  return `<iframe${written([['src', address], ['title', title], ['width', '100%'], ['height', '500'],
    ['loading', 'lazy'], ['allow', 'fullscreen; clipboard-write']])}></iframe>`;
}
