// What `webpack --mode production` does; the program of that name is a package of its own.

import { resolve } from 'node:path';

import webpack from 'webpack';

webpack({
  mode: 'production',
  entry: './main.js',
  output: { path: resolve('webpack') },
  performance: { hints: false }, // the size of the program is known
}, (failure, stats) => {
  if (!failure && !stats.hasErrors() && !stats.hasWarnings()) return;
  console.error(failure ? failure.message : stats.toString('errors-warnings'));
  process.exitCode = 1;
});
