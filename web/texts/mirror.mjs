// What “Read as text” says besides the lesson's own texts.

import english from './en/mirror.mjs';
import { sayer } from './text.mjs';

export const text = sayer(english);
