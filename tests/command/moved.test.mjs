// tools/configure, in a small project of its own: what was configured elsewhere is configured afresh.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'attention-live-moved-'));
  mkdirSync(join(folder, 'first', 'tools'), { recursive: true });
  cpSync(join(repository, 'tools', 'configure'), join(folder, 'first', 'tools', 'configure'));
  const write = (name, text) => writeFileSync(join(folder, 'first', name), text);
  write('CMakeLists.txt', `cmake_minimum_required(VERSION 3.22)
project(small NONE)
add_custom_command(OUTPUT made COMMAND cmake -E copy \${CMAKE_SOURCE_DIR}/source made DEPENDS \${CMAKE_SOURCE_DIR}/source)
add_custom_target(all_made ALL DEPENDS made)
`);
  write('CMakePresets.json', JSON.stringify({
    version: 3,
    configurePresets: [{ name: 'small', generator: 'Ninja', binaryDir: '${sourceDir}/build/small' }],
    buildPresets: [{ name: 'small', configurePreset: 'small' }],
  }));
  write('source', 'first');
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Builds the project in a folder, and gives what was made. */
function build(name) {
  const cwd = join(folder, name);
  execFileSync(join(cwd, 'tools', 'configure'), ['small'], { cwd, encoding: 'utf8', stdio: 'pipe' });
  const said = execFileSync('cmake', ['--build', '--preset', 'small'], { cwd, encoding: 'utf8', stdio: 'pipe' });
  return { made: readFileSync(join(cwd, 'build', 'small', 'made'), 'utf8'), idle: said.includes('no work to do') };
}

test('a folder that was moved or copied is built from its own source', () => {
  assert.deepEqual(build('first'), { made: 'first', idle: false });
  assert.deepEqual(build('first'), { made: 'first', idle: true });

  renameSync(join(folder, 'first'), join(folder, 'moved'));
  writeFileSync(join(folder, 'moved', 'source'), 'moved');
  assert.equal(build('moved').made, 'moved');

  cpSync(join(folder, 'moved'), join(folder, 'copied'), { recursive: true });
  writeFileSync(join(folder, 'copied', 'source'), 'copied');
  assert.equal(build('copied').made, 'copied');
  assert.equal(build('moved').made, 'moved');

  symlinkSync(join(folder, 'copied'), join(folder, 'linked'));
  assert.equal(build('linked').made, 'copied', 'another name of the same place');
});
