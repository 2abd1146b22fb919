// As much of the protocol buffers' wire format as an ONNX model needs: varints, and fields with a length.

const encoder = new TextEncoder();

function varint(value) {
  const bytes = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/** The parts, one behind the other. */
export function join(...parts) {
  const flat = parts.flat(Infinity);
  const result = new Uint8Array(flat.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of flat) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

/** Field with a whole number ≥ 0. */
export const number = (field, value) => [varint(field * 8), varint(value)];

/** Field with bytes, or with another message. */
export const bytes = (field, content) => [varint(field * 8 + 2), varint(content.length), content];

/** Field with text. */
export const text = (field, value) => bytes(field, encoder.encode(value));
