// The sentences and words beside the program's own, which are in src/texts. Modules name them by key; what they say is
// in texts/LANGUAGE, one module for what is loaded together: 'room.topic.name': 'text with {placeholders}'.

/**
 * @param {Record<string, string>} texts by key
 * @returns {(key: string, values?: Record<string, unknown>) => string} a text, with `values` in the places of {name}
 */
export const sayer = (texts) => (key, values = {}) => (
  texts[key].replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place)));
