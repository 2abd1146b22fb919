// Reads the attributes of a frame's figure from its address: embed.html?example=…&step=…, or a link after “#”.

import { longestLink, observed } from '../element/attributes.mjs';

// Anybody can write such an address, so it must not name a picture or a lesson on another host, nor a page that links
// lead to.
const allowed = [...observed.filter((name) => name !== 'page'), 'lang'];

const isOurs = (address, here) => URL.canParse(address, here) && new URL(address, here).origin === new URL(here).origin;

/**
 * @param {{search: string, hash: string, href: string}} address
 * @returns {{attributes: [string, string][], problems: string[]}}
 */
export function attributesOf({ search, hash, href }) {
  const attributes = new Map();
  const problems = [];
  for (const [name, value] of new URLSearchParams(search)) {
    const known = allowed.includes(name) && (name !== 'poster' || /^(on|off)$/.test(value)) &&
      (name !== 'src' || isOurs(value, href));
    if (known && value.length <= longestLink && !attributes.has(name)) {
      attributes.set(name, value);
    } else if (known || observed.includes(name)) {
      problems.push(`${name} in the frame’s address cannot be used: it is there twice, too long or not allowed.`);
    }
  }
  if (hash.length > 1 && !attributes.has('state')) attributes.set('state', hash.slice(0, longestLink));
  return { attributes: [...attributes], problems };
}
