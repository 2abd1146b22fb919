// What is said about a lesson's file before the program reads it. Its words are the program's own.

import english from './en/lesson.mjs';
import { sayer } from './text.mjs';

export const text = sayer(english);
