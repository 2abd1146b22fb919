// Connects the text of the lesson to its figures.

import { showCode } from './code_blocks.mjs';
import { showFigures } from './links.mjs';
import { followNumbers } from './numbers.mjs';
import { askQuestions } from './questions.mjs';

await customElements.whenDefined('attention-live');
followNumbers();
askQuestions();
showCode();
showFigures();
