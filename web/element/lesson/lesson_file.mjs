// Fetches a lesson's file.

import { Sentence } from '../../program/compiled_code.mjs';
import { text } from '../../texts/lesson.mjs';

// max_lesson_bytes and max_lesson_file_bytes in src/document/lesson_file/lesson_file.hpp
const mostText = 2 ** 20;
const mostNumbers = 2 ** 23;

/** What a file is called in sentences: the last part of its address. */
export const nameOf = (address) => address.pathname.split('/').pop() || address.href;

/** @returns {Promise<Blob>} a file of at most `most` bytes; rejects with a Sentence that says why not */
async function fetchFile(address, most, signal) {
  const file = nameOf(address);
  let response;
  try {
    response = await fetch(address, { signal });
  } catch (cause) {
    throw new Sentence(text.later('lesson.file.connection', { file }), { cause });
  }
  if (!response.ok) throw new Sentence(text.later('lesson.file.status', { file, status: response.status }));
  const chunks = [];
  let bytes = 0;
  try {
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      if (bytes > most) {
        reader.cancel().catch(() => {});
        throw new Sentence(text.later('lesson.file.long', { file, most }));
      }
      chunks.push(value);
    }
  } catch (cause) {
    if (cause instanceof Sentence) throw cause;
    throw new Sentence(text.later('lesson.file.connection', { file }), { cause });
  }
  return new Blob(chunks);
}

/**
 * @param {URL} address
 * @param {AbortSignal} signal
 * @returns {Promise<string>} its text; rejects with a Sentence that says why not
 */
export const fetchLesson = async (address, signal) => (await fetchFile(address, mostText, signal)).text();

/**
 * The files with a lesson's numbers, in base64 by name.
 * @param {string[]} names as the program tells them
 * @param {URL | string} base the address of the lesson
 * @param {AbortSignal} signal
 * @returns {Promise<Object<string, string>>} rejects with a Sentence that says why not
 */
export async function fetchNumbers(names, base, signal) {
  let left = mostNumbers;
  const files = await Promise.all(names.map(async (name) => {
    const blob = await fetchFile(new URL(name, base), mostNumbers, signal);
    left -= blob.size;
    if (left < 0) throw new Sentence(text.later('lesson.file.long', { file: name, most: mostNumbers }));
    const written = await new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result);
      reader.readAsDataURL(blob);
    });
    return [name, written.slice(written.indexOf(',') + 1)];
  }));
  return Object.fromEntries(files);
}
