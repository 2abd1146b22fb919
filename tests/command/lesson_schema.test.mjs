// web/lesson.schema.json knows what the reader of lessons knows, and our own lesson is as it says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { run, save, temporaryFolder } from './program.mjs';

const read = (path) => JSON.parse(readFileSync(new URL(`../../web/${path}`, import.meta.url), 'utf8'));
const schema = read('lesson.schema.json');
const folder = temporaryFolder();

/** What of the schema a value breaks, as a path, or null. It knows the words that this schema uses, and no others. */
function broken(value, wanted, path = '$') {
  if (wanted === true) return null;
  const known = ['description', 'title', '$schema', 'definitions', '$ref', 'type', 'const', 'enum', 'anyOf', 'oneOf', 'required',
    'properties', 'additionalProperties', 'items', 'minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'];
  for (const word of Object.keys(wanted)) assert.ok(known.includes(word), word);
  if (wanted.$ref) return broken(value, schema.definitions[wanted.$ref.split('/').at(-1)], path);
  const fits = (each) => broken(value, each, path) === null;
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const checks = {
    type: (name) => name === type || (name === 'integer' && Number.isInteger(value)),
    const: (only) => only === value,
    enum: (all) => all.includes(value),
    anyOf: (all) => all.some(fits),
    oneOf: (all) => all.filter(fits).length === 1,
    required: (names) => type !== 'object' || names.every((name) => Object.hasOwn(value, name)),
    additionalProperties: () => Object.keys(value).every((name) => Object.hasOwn(wanted.properties, name)),
    minItems: (least) => value.length >= least,
    maxItems: (most) => value.length <= most,
    minimum: (least) => value >= least,
    maximum: (most) => value <= most,
    minLength: (least) => value.length >= least,
    maxLength: (most) => value.length <= most,
    pattern: (form) => new RegExp(form).test(value),
  };
  for (const [word, check] of Object.entries(checks)) {
    if (Object.hasOwn(wanted, word) && !check(wanted[word])) return `${path} ${word}`;
  }
  const parts = [
    ...(wanted.items ? value.map((each, i) => [each, wanted.items, `${path}[${i}]`]) : []),
    ...(wanted.properties ? Object.entries(value).map(([name, each]) => [each, wanted.properties[name], `${path}.${name}`]) : []),
  ];
  for (const part of parts) {
    const found = broken(...part);
    if (found) return found;
  }
  return null;
}

const said = (lesson) => run(['check', save(folder, 'lesson.json', Buffer.from(JSON.stringify(lesson)))]).stderr;
const own = { tokens: ['a'], embeddings: [[1]] };
const lesson = (step = {}, more = {}) => ({ attention_live_lesson: 1, title: 't', example: own, steps: [{ text: 't', ...step }], ...more });
const question = (answer) => ({ question: { text: 'q', answer } });

/** Puts a member that there is not into each object of the format; the reader answers with those that there can be. */
const objects = {
  lesson: (x) => lesson({}, x),
  example: (x) => lesson({}, { example: { ...own, ...x } }),
  file: (x) => lesson({}, { example: { ...own, embeddings: { file: 'x.npy', ...x } } }),
  embeddings: (x) => lesson({}, { example: { ...own, embeddings: { seed: 1, width: 2, ...x } } }),
  weights: (x) => lesson({}, { example: { ...own, weights: x } }),
  step: (x) => lesson(x),
  question: (x) => lesson({ question: { text: 'q', answer: { number: 1 }, ...x } }),
  answer: (x) => lesson(question({ number: 1, ...x })),
  reach: (x) => lesson(question({ reach: { cell: 'scores[0,0,0,0]', at_least: 9, ...x } })),
};

test('each object has the same fields here and there', () => {
  for (const [name, made] of Object.entries(objects)) {
    const list = said(made({ nonsense: 0 })).match(/“nonsense” is not known here; there can be (.*)\.\n$/)?.[1];
    const { properties } = name === 'lesson' ? schema : schema.definitions[name];
    assert.deepEqual(list.split(/, | and /).sort(), Object.keys(properties).sort(), name);
  }
  assert.deepEqual(Object.keys(schema.definitions).sort(), [...Object.keys(objects).filter((name) => name !== 'lesson'), 'state'].sort());
});

test('a state has the same fields here and there', () => {
  const fields = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter) => (
    said(lesson({ state: { [`${letter}_`]: 0 } })).match(/first letter there (?:is|are) (.*)\.\n$/)?.[1].split(/, | and /) ?? []));
  assert.deepEqual(fields.sort(), Object.keys(schema.definitions.state.properties).sort());
});

test('names that can be chosen are the same', () => {
  const examples = said(lesson({}, { example: 'nonsense' })).match(/there can be (.*), or an object/)[1];
  assert.deepEqual(examples.split(/, | and /), schema.properties.example.anyOf[0].enum);
  const allowed = said(lesson({ allow: ['nonsense'] })).match(/allowed: (.*)\.\n$/)[1];
  assert.deepEqual(allowed.split(/, | and /), schema.definitions.step.properties.allow.items.enum);
  const steps = said(lesson({ state: { step: 'nonsense' } })).match(/allowed: (.*)\.\n$/)[1];
  assert.deepEqual(steps.split(/, | and /), schema.definitions.state.properties.step.enum);
});

test('our own lesson is valid, and what the reader refuses is not', () => {
  for (const language of ['', '.de', '.es']) assert.equal(broken(read(`lessons/first-lesson${language}.json`), schema), null);
  const wrong = [
    lesson({}, { attention_live_lesson: 2 }), lesson({}, { title: '' }), lesson({}, { steps: [] }), lesson({ text: 7 }),
    lesson({ allow: ['all'] }), lesson(question({ number: 1, cell: 'scores[0,0,0,0]' })), lesson(question({ cell: 'scores' })),
    lesson(question({ reach: { cell: 'scores[0,0,0,0]' } })), lesson({}, { example: { tokens: ['a'] } }),
    lesson({ state: { stp: 'scores' } }), lesson({}, { example: { ...own, heads: 0 } }), lesson({}, { example: { ...own, embeddings: [[10001]] } }),
  ];
  for (const each of wrong) {
    assert.notEqual(broken(each, schema), null, JSON.stringify(each));
    assert.notEqual(said(each), '', JSON.stringify(each));
  }
  assert.equal(broken(lesson(), schema), null);
});
