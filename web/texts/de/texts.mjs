// All of these texts in German, as web/program/language.mjs lays them over the English ones.

import article from './article.mjs';
import element from './element.mjs';
import lesson from './lesson.mjs';
import mirror from './mirror.mjs';
import ownLayer from './own_layer.mjs';
import program from './program.mjs';

export default { ...article, ...element, ...lesson, ...mirror, ...ownLayer, ...program };
