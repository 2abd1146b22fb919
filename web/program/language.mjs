// The language that program and page speak: English, or another one whose texts are loaded when it is asked for.

import { part } from './loading/part.mjs';
import { layOver, speakUsually } from '../texts/text.mjs';

// Literal imports, so that bundlers include each. The build makes these modules of src/texts (tools/cmake/Site.cmake).
const texts = {
  de: () => import('./texts/de.mjs'),
  es: () => import('./texts/es.mjs'),
};
/** What the languages are called by those who speak them. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español' };

/** What the page says beside the program. */
const beside = {
  de: () => import('../texts/de/texts.mjs'),
  es: () => import('../texts/es/texts.mjs'),
};

/**
 * The first of the languages asked for that there is; `en` if there is none.
 * @param {...(string | null | undefined)} asked tags such as "de-AT", or nothing
 */
export function languageAmong(...asked) {
  for (const tag of asked) {
    const language = (tag ?? '').toLowerCase().split('-', 1)[0];
    if (language === 'en' || Object.hasOwn(texts, language)) return language;
  }
  return 'en';
}

/**
 * The language around an element of a page, as the nearest `lang` says, outside of shadow roots, too.
 * @param {Element} element
 */
export function languageAround(element) {
  for (let at = element; at; at = at.parentNode ?? at.host) {
    if (at.lang) return languageAmong(at.lang);
  }
  return 'en';
}

/**
 * Loads what is said beside the program of a figure.
 * @param {string} language as languageAmong says
 * @throws where its texts cannot be loaded; then it is said in English
 */
export async function loadTexts(language) {
  if (language !== 'en') layOver(language, (await part(beside[language])).default);
}

/** The same for what belongs to no figure, but to the page. */
export async function speak(language) {
  await loadTexts(language);
  speakUsually(language);
}

/**
 * Lets the program speak another language, before it has shown anything.
 * @param {import('./program.mjs').Program} program
 * @param {string} language as languageAmong says
 * @throws where its texts cannot be loaded; the program then speaks English
 */
export async function useLanguage(program, language) {
  if (language === 'en') return;
  program.useLanguage(JSON.stringify(await textsOf(language)));
}

/** The texts of the program in another language than English, by key. */
export const textsOf = async (language) => (await part(texts[language])).default;
