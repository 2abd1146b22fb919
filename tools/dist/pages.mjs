// The site's pages, changed to refer to the distribution's files.

const reference = /(<(?:link|script)\b[^>]*?\b(?:href|src)=")([^"#?:]+)("[^>]*>)/g;

/** The files that a page refers to: [{name, kind: 'module' | 'style' | 'preload' | 'alternate' | 'other'}]. */
export function references(html) {
  return [...html.matchAll(reference)].map(([whole, , name]) => ({ name, kind: kindOf(whole) }));
}

function kindOf(tag) {
  if (tag.startsWith('<script')) return 'module';
  const [, relation] = /\brel="([^"]*)"/.exec(tag) ?? [];
  return { stylesheet: 'style', modulepreload: 'preload', alternate: 'alternate' }[relation] ?? 'other';
}

/**
 * @param {string} html
 * @param {Map<string, string>} names of the site → of the distribution
 * @param {{preload: string[], code: string[], scripts: string[]}} added to the head: modules and WebAssembly to fetch
 *   early, and modules to run
 */
export function rewrite(html, names, { preload = [], code = [], scripts = [] } = {}) {
  const renamed = html
    .replace(/^[ \t]*<link\b[^>]*\brel="modulepreload"[^>]*>\n/gm, '')
    .replace(reference, (whole, before, name, after) => `${before}${names.get(name) ?? name}${after}`);
  const lines = [
    ...preload.map((name) => `<link rel="modulepreload" href="${name}">`),
    ...code.map((name) => `<link rel="preload" href="${name}" as="fetch" type="application/wasm" crossorigin>`),
    ...scripts.map((name) => `<script type="module" src="${name}"></script>`),
  ];
  return renamed.replace('</head>', `${lines.map((line) => `  ${line}\n  `).join('')}</head>`);
}
