// The smallest page with a first result of this peer: when it was there.

import { makeProblem } from './inputs.mjs';
import { tfjs } from './tfjs.mjs';

const engine = await tfjs(makeProblem({ tokens: 3, embedDim: 6, heads: 2 }, false), false);
const output = await engine.run();
if (output.length !== 18) throw new Error('There is no result.');
window.benchStart = { result: performance.now() };
