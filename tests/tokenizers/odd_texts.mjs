// A few hundred odd texts, the same ones each time: what tokenizers tend to get wrong, and mixtures of it.

/** Numbers from 0 to below `count`: a linear congruential generator, Knuth's. */
export function numbersFrom(seed) {
  let state = BigInt(seed);
  return (count) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 33n) % BigInt(count));
  };
}

const pieces = {
  scripts: ['attention', 'Großvater', 'naïve', 'ÉCOLE', 'ΣΊΣΥΦΟΣ', 'Ελλάδα', 'слово', 'ЁЛКА', 'שָׁלוֹם', 'مرحبا', 'می‌خواهم', 'हिन्दी', 'क्‍ष', 'বাংলা',
    'தமிழ்', 'ไทยไทย', 'ລາວ', 'ភាសាខ្មែរ', 'မြန်မာ', 'ქართული', 'Հայերեն', 'አማርኛ', '中文字', '日本語テスト', 'カタカナ', 'ひらがな', '한국어', 'ㄱㄴ', '𠮷野家', '𝒳𝓎', 'ᏣᎳᎩ'],
  joined: ['👩‍👩‍👧', '👨🏽‍💻', '🇪🇸🇩🇪', '❤️', '1️⃣', '🏴‍☠️', '🙂', 'é', 'ü', 'ñ', 'ö̲', 'ﬁ', 'ﬀ', 'Ａ１', '①', '½', '²', 'Ⅻ', '㎏', '…', '™', 'ß', 'ẞ', 'ſ', 'K', 'İ', 'ı', 'ǅ', 'ŉ'],
  spaces: [' ', '  ', '   ', '\t', '\n', '\r\n', '\r', '\n\n', ' \n', '\n ', '\u00a0', '\u2003', '\u3000', '\u2028', '\u200b', '\u00ad', '\u0085', '\v', '\f', '\u1680'],
  digits: ['0', '7', '12', '123', '1234', '12345', '1234567', '3.14', '1,000', '٣٤٥', '१२३', '１２', '0x1F', '1e-5', '2nd', 'v2.0'],
  signs: ["'s", "'LL", "'Ve", "'ſ", "’s", "don't", "I'D", '!', '!!', '?!', '...', '--', '—', '«»', '„“', '$5', '€', '#tag', '@me', 'a_b', 'x=y', '/usr/bin', '\\', '"', '`', '{}', '[]', '(a)', '<b>', '&amp;', '*', '~', '^', '|', '¿', '。', '、', '।'],
  cases: ['camelCase', 'HTTPServer', 'iPhone', 'McDonald', 'aB', 'Ab', 'ABC', 'aBC', 'ABc', 'Élan', 'éLAN', 'ǅungla', 'xX', 'snake_case', 'UPPER_CASE', 'Straße', 'STRASSE'],
  controls: ['\u0000', '\u0001', '\u0007', '\u001b[0m', '\u007f', '\u009f', '\ufeff', '\ufffd', '\u202e', '\u2066', '\u{e0001}', '\ue000', '\ufffe'],
};
const kinds = Object.values(pieces);

/** @param {string[]} special tokens of the model, which are put into words */
export function oddTexts(special, count = 320) {
  const below = numbersFrom(20);
  const one = (list) => list[below(list.length)];
  const texts = ['', ' ', '\n', ...kinds.flat(), 'a'.repeat(700), 'ab'.repeat(300), '猫'.repeat(200), ' '.repeat(300), '9'.repeat(250), '!'.repeat(200),
    'é'.repeat(150), 'na\u0308'.repeat(100), `${'x'.repeat(120)} ${'y'.repeat(120)}`];
  for (const token of special) {
    texts.push(token, `a${token}b`, ` ${token} `, `${token}${token}`, `one ${token} two`, token.slice(0, -1), token.toUpperCase(), token.toLowerCase(), `${token}\n`);
  }
  const length = texts.length + count;
  while (texts.length < length) {
    let text = '';
    const kind = below(3) === 0 ? kinds.flat() : one(kinds);
    for (let i = 2 + below(9); i > 0; --i) {
      text += below(6) === 0 && special.length > 0 ? one(special) : one(below(3) === 0 ? kinds.flat() : kind);
      if (below(2) === 0) text += one([' ', ' ', ' ', '\n', '  ', "'s"]);
    }
    texts.push(text);
  }
  return [...new Set(texts)];
}
