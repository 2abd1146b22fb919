// What the program's frame says while it loads, and what is wrong where it cannot run.

import english from './en/program.mjs';
import { sayer } from './text.mjs';

export const text = sayer(english);
