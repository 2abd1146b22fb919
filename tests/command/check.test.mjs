// `check`: what is wrong with a lesson's file, with line and column.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { npy } from '../support/npy.mjs';
import { complaint, run, save, temporaryFolder } from './program.mjs';

const folder = temporaryFolder();
const pattern = fileURLToPath(new URL('../../web/lessons/first-lesson.json', import.meta.url));
const written = (lesson) => save(folder, 'lesson.json', Buffer.from(lesson));

test('a lesson that is right is counted', () => {
  assert.deepEqual(run(['check', pattern]), { code: 0, stdout: 'ok: 5 steps, 3 questions\n', stderr: '' });
});

test('the same lesson in other languages has the same numbers, steps and answers', () => {
  const numbers = (path) => {
    const { example: { embeddings, heads, weights }, steps } = JSON.parse(readFileSync(path, 'utf8'));
    return { embeddings, heads, weights, steps: steps.map(({ state, allow, question }) => ({ state, allow, answer: question?.answer })) };
  };
  for (const language of ['de', 'es']) {
    const path = pattern.replace('.json', `.${language}.json`);
    assert.deepEqual(run(['check', path]), { code: 0, stdout: 'ok: 5 steps, 3 questions\n', stderr: '' });
    assert.deepEqual(numbers(path), numbers(pattern));
    assert.equal(JSON.parse(readFileSync(path, 'utf8')).language, language);
  }
});

test('what is wrong is said with file, line and column', () => {
  const text = readFileSync(pattern, 'utf8');
  for (const [from, to, said] of [
    ['"head": 0, "query": 2 },', '"head": 7, "query": 2 },', /^head/],
    ['"step": "input"', '"step": "inputs"', /^step is “inputs”; allowed: /],
    ['scores[0,0,2,1]', 'scores[0,0,3,1]', /^attention\.scores\[0,0,3,1\] lies outside/],
    ['"heads": 2', '"heads": 3', /heads/],
    ['"title"', '"titel"', /^“titel” is not known here/],
    ['"steps": [', '"steps": [,', /^From here on it is not valid JSON/],
  ]) {
    assert.ok(text.includes(from));
    const broken = text.replace(from, to);
    const path = written(broken);
    const { code, stdout, stderr } = run(['check', path]);
    const [, file, line, , sentence] = stderr.match(/^(.*):(\d+):(\d+): (.*)\n$/) ?? [];
    assert.deepEqual([code, stdout, file], [2, '', path], stderr);
    assert.match(sentence, said);
    const wrong = broken.split('\n').findIndex((each) => each.includes(to)) + 1;
    assert.equal(Number(line), wrong, stderr);
  }
});

test('numbers may be in files beside the lesson', () => {
  const text = JSON.stringify({
    attention_live_lesson: 1, title: 't', steps: [{ text: 't' }],
    example: { tokens: ['a', 'b'], embeddings: { file: 'x.npy' } },
  });
  save(folder, 'x.npy', npy([2, 3], [1, 2, 3, 4, 5, 6]));
  assert.deepEqual(run(['check', written(text)]), { code: 0, stdout: 'ok: 1 step, 0 questions\n', stderr: '' });
  save(folder, 'x.npy', npy([3, 2], [1, 2, 3, 4, 5, 6]));
  assert.match(run(['check', written(text)]).stderr, /must be 2 rows, one for each token/);
  const elsewhere = written(text.replace('x.npy', '../x.npy'));
  assert.match(run(['check', elsewhere]).stderr, /beside the lesson or below it/);
});

test('a file that is no lesson', () => {
  assert.match(complaint(['check']), /^check needs a file/);
  assert.match(complaint(['check', `${folder}/missing.json`]), /missing\.json/);
  const { code, stderr } = run(['check', written('\u0000\u0001')]);
  assert.deepEqual([code, stderr.endsWith(':1:1: From here on it is not valid JSON: a comma, a quotation mark or a bracket is missing, or there is a comma too many.\n')], [2, true], stderr);
});

test('the translator can be a lesson’s example', () => {
  const lesson = { attention_live_lesson: 1, title: 'T', example: 'translator', steps: [{ text: 'a', state: { attention: 'cross_attention_2', step: 'softmax' } }] };
  assert.equal(run(['check', written(JSON.stringify(lesson))]).stdout, 'ok: 1 step, 0 questions\n');
});
