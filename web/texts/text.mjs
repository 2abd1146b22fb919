// The sentences and words beside the program's own, which are in src/texts. Modules name them by key; what they say is
// in texts/LANGUAGE, one module for what is loaded together: 'room.topic.name': 'text with {placeholders}'.

let over = {}; // the texts of another language than English, once they are here

/** Lays the texts of another language over the English ones, for all of the page. @param {Record<string, string>} texts */
export function layOver(texts) {
  over = texts;
}

/**
 * @param {Record<string, string>} english texts by key
 * @returns {(key: string, values?: Record<string, unknown>) => string} a text, with `values` in the places of {name}
 */
export const sayer = (english) => (key, values = {}) => (
  (over[key] ?? english[key]).replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place)));

/**
 * A number with so many decimals; one that is too large to be written out as the program has it, such as 1.00e33.
 * @param {number} number
 * @param {number} decimals
 */
export const numberText = (number, decimals) => (
  Math.abs(number) >= 1e10 && Number.isFinite(number) ? number.toExponential(2).replace('+', '') : number.toFixed(decimals));
