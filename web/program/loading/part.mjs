// Parts that are loaded when they are first needed. Those of a page that stays open may be gone when a new version has
// come to the server.

import { Sentence } from '../compiled_code.mjs';
import { importAgain } from '../files.mjs';
import { text } from '../../texts/program.mjs';

const failed = new Set(); // addresses

/**
 * @template T
 * @param {() => Promise<T>} load imports it
 * @returns {Promise<T>} that rejects with a Sentence. The next call tries again
 */
export async function part(load) {
  try {
    return await load();
  } catch (cause) {
    const [address] = /\w+:\/\/\S+\w/.exec(cause.message) ?? ['']; // browsers tell it nowhere else
    if (failed.has(address)) {
      try {
        return await importAgain(address);
      } catch {
        // It is told below.
      }
    }
    if (address) failed.add(address);
    const file = address.replace(/\?.*/s, '').split('/').pop();
    throw new Sentence(text.later('program.part.missing', { file: file || text.later('program.part.one') }), { cause });
  }
}

/**
 * Says at the foot of `container` what failed, and offers to try it again.
 * @param {Element} container that its children are placed in
 * @param {Error} cause
 * @param {() => void} again
 * @param {string} [language] of the figure; the page's, where it is left out
 */
export function offerAgain(container, cause, again, language) {
  const notice = document.createElement('div');
  const sentence = document.createElement('p');
  const button = document.createElement('button');
  notice.className = 'attention-live-missing';
  notice.setAttribute('role', 'alert');
  sentence.textContent = cause instanceof Sentence ? cause.in(language) : cause.message;
  Object.assign(button, { type: 'button', className: 'attention-live-again', textContent: text.in(language)('program.loading.again') });
  button.part = 'button try-again';
  button.addEventListener('click', () => {
    notice.remove();
    again();
  });
  notice.append(sentence, button);
  container.querySelector(':scope > .attention-live-missing')?.remove();
  container.append(notice);
}
