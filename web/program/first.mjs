// What the first part of the program's code can do by itself (see code.mjs): its rehearsal did just this.

/** The fields of links that it opens. */
export const fields = [
  'v', 'example', 'variant', 'step', 'attention', 'head', 'all_heads', 'query', 'key', 'sample', 'all_samples', 'theme',
];

/** @param {string} link as in the page's address, with its “#” or without */
export const opens = (link) => link.replace(/^#/, '').split('&').every((part) => (
  part === '' || fields.includes(part.replace(/=.*/s, ''))
));
