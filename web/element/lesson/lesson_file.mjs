// Fetches a lesson's file.

import { Sentence } from '../../program/compiled_code.mjs';
import { text } from '../../texts/lesson.mjs';

const most = 2 ** 20; // max_lesson_bytes in src/document/lesson_file/lesson_file.hpp

/** What a file is called in sentences: the last part of its address. */
export const nameOf = (address) => address.pathname.split('/').pop() || address.href;

/**
 * @param {URL} address
 * @param {AbortSignal} signal
 * @returns {Promise<string>} its text; rejects with a Sentence that says why not
 */
export async function fetchLesson(address, signal) {
  const file = nameOf(address);
  let response;
  try {
    response = await fetch(address, { signal });
  } catch (cause) {
    throw new Sentence(text('lesson.file.connection', { file }), { cause });
  }
  if (!response.ok) throw new Sentence(text('lesson.file.status', { file, status: response.status }));
  const chunks = [];
  let bytes = 0;
  try {
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      if (bytes > most) {
        reader.cancel().catch(() => {});
        throw new Sentence(text('lesson.file.long', { file, most }));
      }
      chunks.push(value);
    }
  } catch (cause) {
    if (cause instanceof Sentence) throw cause;
    throw new Sentence(text('lesson.file.connection', { file }), { cause });
  }
  return new Blob(chunks).text();
}
