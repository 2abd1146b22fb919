// What is said while a reader opens a file of their own.

import english from './en/own_layer.mjs';
import { sayer } from './text.mjs';

export const text = sayer(english);
