// What “Read as text” says besides the lesson's own texts.

import english from './en/mirror.mjs';
import { sayer } from './text.mjs';

const text = sayer(english);

/** Those of one figure. @param {{language: string}} api of its program */
export const textFor = ({ language }) => text.in(language);
