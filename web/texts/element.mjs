// What the element's buttons and the dialog with the embed code say.

import english from './en/element.mjs';
import { sayer } from './text.mjs';

export const text = sayer(english);
