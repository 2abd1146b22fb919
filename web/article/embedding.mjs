// The code that puts a figure into a page, as text.

import { languageAround } from '../program/language.mjs';
import { text } from '../texts/article.mjs';

/** What an attribute has anyway is not written. */
const usual = { controls: 'all', theme: 'auto', load: 'visible', poster: 'on' };

const escape = (value) => String(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function written(attributes) {
  return Object.entries(attributes).filter(([name, value]) => value !== '' && value != null && usual[name] !== value);
}

/** @param {Record<string, string>} attributes of the figure */
export function elementCode(attributes, site) {
  const lines = written(attributes).map(([name, value]) => `\n  ${name}="${escape(value)}"`).join('');
  return `<script type="module" src="${escape(new URL('attention-live.js', site))}"></script>\n\n` +
    `<attention-live${lines}></attention-live>\n`;
}

/** The address of the frame that shows the same. */
export function frameAddress(attributes, site) {
  const address = new URL('embed.html', site);
  for (const [name, value] of written(attributes)) address.searchParams.set(name, value);
  // The frame has no page around it whose language it could take.
  const language = attributes.lang || languageAround(document.documentElement);
  if (language !== 'en') address.searchParams.set('lang', language);
  return address.href;
}

export function frameCode(attributes, site) {
  const title = attributes.label || text('article.embed.title');
  return `<iframe\n  src="${escape(frameAddress(attributes, site))}"\n  title="${escape(title)}"` +
    '\n  width="100%" height="480" loading="lazy" sandbox="allow-scripts"></iframe>\n';
}

/** A link in the text that sets the figure to where it is now. */
export function proseCode(link) {
  return `<a href="${escape(link)}" data-attention-live="fig-1">${text('article.embed.link')}</a>\n`;
}

/** The parts of `link` that the attributes do not say. */
export function restOfLink(link, attributes) {
  const said = new Set(['v', 'all_heads', ...Object.keys(attributes).filter((name) => attributes[name] !== '')]);
  return link.replace(/^#/, '').split('&').filter((part) => part && !said.has(part.split('=')[0])).join('&');
}
