// Makes what these tests look at, in build/packages: the static folder and the npm package, with a few posters.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const site = process.env.ATTENTION_LIVE_SITE ?? join(repository, 'build', 'web', 'site');
const out = join(repository, 'build', 'packages');
const run = (tool, ...words) => execFileSync(
  process.execPath, [join(repository, 'tools', 'dist', tool), ...words], { stdio: 'inherit', cwd: repository },
);

const posters = join(out, 'posters');
run('posters.mjs', site, posters, 'counting-split-light', 'counting-split-dark', 'you-are-welcome-softmax-light');
run('make.mjs', site, join(out, 'dist'), '--posters', posters);
run('npm.mjs', site, join(out, 'npm'), '--posters', posters);
