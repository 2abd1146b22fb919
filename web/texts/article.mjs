// What the lesson and the page for authors say in answer to what a reader does.

import english from './en/article.mjs';
import { sayer } from './text.mjs';

export const text = sayer(english);
