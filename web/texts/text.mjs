// The sentences and words beside the program's own, which are in src/texts. Modules name them by key; what they say is
// in texts/LANGUAGE, one module for what is loaded together: 'room.topic.name': 'text with {placeholders}'.

const over = { en: {} }; // by language, the texts that lie over the English ones, once they are here
let usual = 'en';

/** Lays the texts of another language over the English ones. @param {Record<string, string>} texts */
export function layOver(language, texts) {
  over[language] = texts;
}

/** What is said of no figure is said in this language. */
export function speakUsually(language) {
  usual = language;
}

/**
 * @param {Record<string, string>} english texts by key
 * @returns {(key: string, values?: Record<string, unknown>) => string} a text in the language of the page, with `values`
 *   in the places of {name}. Its `in(language)` is the same in the language of a figure. Its `later(key, values)` is a text
 *   whose language is known when it is shown, (language) => string; its values may be such texts.
 */
export function sayer(english) {
  const say = (language) => (key, values = {}) => (
    (over[language ?? usual]?.[key] ?? english[key]).replace(/\{(\w+)\}/g, (place, name) => {
      const value = values[name] ?? place;
      return String(typeof value === 'function' ? value(language) : value);
    }));
  return Object.assign((...what) => say()(...what), {
    in: say, later: (...what) => (language) => say(language)(...what),
  });
}

/**
 * A number with so many decimals; one that is too large to be written out as the program has it, such as 1.00e33.
 * @param {number} number
 * @param {number} decimals
 */
export const numberText = (number, decimals) => (
  Math.abs(number) >= 1e10 && Number.isFinite(number) ? number.toExponential(2).replace('+', '') : number.toFixed(decimals));
