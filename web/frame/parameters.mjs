// The address of a frame, embed.html?example=…&step=…, as attributes of the figure in it; and a link behind its “#”.

import { longestLink, observed } from '../element/attributes.mjs';

/**
 * @param {{search: string, hash: string}} address
 * @returns {{attributes: [string, string][], problems: string[]}}
 */
export function attributesOf({ search, hash }) {
  const attributes = new Map();
  const problems = [];
  for (const [name, value] of new URLSearchParams(search)) {
    // A picture of another host's choice is nothing for an address that others write.
    const known = observed.includes(name) && (name !== 'poster' || /^(on|off)$/.test(value));
    if (known && value.length <= longestLink && !attributes.has(name)) {
      attributes.set(name, value);
    } else if (observed.includes(name)) {
      problems.push(`${name} in the frame’s address cannot be used: it is there twice, too long or not allowed.`);
    }
  }
  if (hash.length > 1 && !attributes.has('state')) attributes.set('state', hash.slice(0, longestLink));
  return { attributes: [...attributes], problems };
}
