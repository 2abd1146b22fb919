// Thousands of regular expressions made at random split texts as JavaScript's own do, where both have the same rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { readTokenizer } from './module.mjs';
import { numbersFrom } from './odd_texts.mjs';

const site = process.env.ATTENTION_LIVE_SITE ?? fileURLToPath(new URL('../../build/web/site', import.meta.url));
const below = numbersFrom(7);
const one = (list) => list[below(list.length)];

const characters = ['a', 'b', 'c', 'B', ' ', '7', 'é', '猫'];
const classes = ['[ab]', '[^a]', '[a-c7]', '\\p{L}', '\\P{L}', '\\p{Lu}', '[^\\s\\p{L}\\p{N}]', '\\s', '\\S', '\\d', '[\\p{L}\\p{N}]', '.'];
const often = ['*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{0,2}?', '{2,}'];

const none = new Set(['*', '?', '*?', '??', '{0,2}?']); // times that may be none

/**
 * @returns {{text: string, empty: boolean}} `empty`: it may match nothing. That is not repeated: JavaScript leaves out
 *   repetitions that match nothing, Oniguruma ends with one.
 */
function expression(depth) {
  const kind = depth === 0 ? below(2) : below(9);
  const simple = (list) => ({ text: one(list), empty: false });
  const repeated = ({ text, empty }) => {
    const times = one(often);
    return empty ? { text, empty } : { text: text + times, empty: none.has(times) };
  };
  if (kind === 0) return simple(characters);
  if (kind === 1) return simple(classes);
  if (kind === 2) {
    const { text, empty } = expression(depth - 1);
    return repeated({ text: `(?:${text})`, empty });
  }
  if (kind === 4) return { text: `(?${one(['=', '!', '<=', '<!'])}${one([...characters, ...classes])}${one(['', one(characters)])})`, empty: true };
  if (kind === 5) return repeated(simple([...characters, ...classes]));
  const [first, second] = [expression(depth - 1), expression(depth - 1)];
  if (kind === 3) return { text: `(${first.text}|${second.text})`, empty: first.empty || second.empty };
  if (kind === 6) return { text: `(?${one(['=', '!'])}${first.text})${second.text}`, empty: second.empty };
  return { text: first.text + second.text, empty: first.empty && second.empty };
}

/** What is between what is found, and that, as SplitDelimiterBehavior::Isolated has it. */
function parted(pattern, text) {
  const parts = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(pattern, 'gu'))) {
    if (index === end && found === '') continue;
    parts.push(text.slice(end, index), found);
    end = index + found.length;
  }
  return [...parts, text.slice(end)].filter((part) => part !== '');
}

test('they split texts where JavaScript does', async () => {
  // Each part begins with ▁, and each character is a token of its own.
  const vocab = Object.fromEntries([...characters, '▁'].map((character, id) => [character, id]));
  let compared = 0;
  const differences = [];
  for (let i = 0; i < 3000; ++i) {
    const pattern = expression(3).text;
    const file = JSON.stringify({
      pre_tokenizer: { type: 'Sequence', pretokenizers: [
        { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false },
        { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false },
      ] },
      model: { type: 'BPE', vocab, merges: [] },
    });
    const own = await readTokenizer({ 'tokenizer.json': file }, `${site}/program/tokenizer.wasm`);
    for (let k = 0; k < 4; ++k) {
      const text = Array.from({ length: 1 + below(9) }, () => one(characters)).join('');
      const expected = parted(pattern, text).map((part) => `▁${part.replaceAll(' ', '▁')}`.replace(/^▁▁/, '▁')).join('');
      const made = own.encode(text).words.join('');
      compared += 1;
      if (made !== expected) differences.push(`${pattern} in ${JSON.stringify(text)}: ${made}, not ${expected}`);
    }
  }
  assert.ok(compared > 10000);
  assert.deepEqual(differences.slice(0, 20), []);
});
