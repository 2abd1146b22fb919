// Connects the text of the lesson to its figures.

import { showCode } from './code_blocks.mjs';
import { showFigures } from './links.mjs';
import { followNumbers } from './numbers.mjs';
import { askQuestions } from './questions.mjs';
import { languageAround, speak } from '../program/language.mjs';

await customElements.whenDefined('attention-live');
await speak(languageAround(document.documentElement)).catch(() => {});
followNumbers();
askQuestions();
showCode();
showFigures();
