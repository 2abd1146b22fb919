// Writes the seeds that the fuzzers start from: node tests/fuzz/make_corpus.mjs
// Small valid files of every kind, so that mutation starts behind the first checks.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const corpus = join(dirname(fileURLToPath(import.meta.url)), 'corpus');
const bytesPerNumber = { F32: 4, F16: 2, BF16: 2, F64: 8, BOOL: 1, I64: 8, U8: 1 };

/** tensors: [name, dtype, shape][]; the numbers are small and differ. */
function safetensors(tensors, metadata) {
  const header = metadata ? { __metadata__: metadata } : {};
  const parts = [];
  let end = 0;
  for (const [name, dtype, shape] of tensors) {
    const count = shape.reduce((a, b) => a * b, 1);
    const data = Buffer.alloc(count * bytesPerNumber[dtype]);
    for (let i = 0; i < count; ++i) {
      const value = ((i * 7) % 11) / 4 - 1;
      if (dtype === 'F32') data.writeFloatLE(value, 4 * i);
      else if (dtype === 'F64') data.writeDoubleLE(value, 8 * i);
      else if (dtype === 'F16') data.writeUInt16LE(0x3c00 + i, 2 * i);
      else if (dtype === 'BF16') data.writeUInt16LE(0x3f80 + i, 2 * i);
      else data[i * bytesPerNumber[dtype]] = i % 3 === 2 ? 1 : 0;
    }
    header[name] = { dtype, shape, data_offsets: [end, end + data.length] };
    end += data.length;
    parts.push(data);
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...parts]);
}

function write(folder, seeds) {
  mkdirSync(join(corpus, folder), { recursive: true });
  for (const [name, bytes] of Object.entries(seeds)) writeFileSync(join(corpus, folder, name), bytes);
}

write('safetensors_fuzz', {
  empty: safetensors([]),
  metadata: safetensors([['a', 'F32', [1]]], { format: 'pt', note: 'Größe' }),
  formats: safetensors([
    ['f32', 'F32', [2, 1]],
    ['f16', 'F16', [2]],
    ['bf16', 'BF16', [1, 2]],
    ['f64', 'F64', []],
    ['bool', 'BOOL', [3]],
    ['i64', 'I64', [1]],
    ['u8', 'U8', [0, 5]],
  ]),
  axes: safetensors([['six', 'F32', [1, 1, 2, 1, 1, 1]]]),
});

const linear = (name, out, wide) => [[`${name}.weight`, 'F32', [out, wide]], [`${name}.bias`, 'F32', [out]]];
write('found_attention_fuzz', {
  pytorch: safetensors([
    ['layers.0.self_attn.in_proj_weight', 'F32', [12, 4]], ['layers.0.self_attn.in_proj_bias', 'F32', [12]],
    ...linear('layers.0.self_attn.out_proj', 4, 4),
  ], { num_heads: '2' }),
  widths: safetensors([
    ['q_proj_weight', 'F32', [4, 4]], ['k_proj_weight', 'F32', [4, 3]], ['v_proj_weight', 'F32', [4, 5]],
    ['in_proj_bias', 'F32', [12]], ...linear('out_proj', 4, 4),
  ]),
  gpt2: safetensors([
    ['h.0.attn.c_attn.weight', 'F32', [4, 12]], ['h.0.attn.c_attn.bias', 'F32', [12]], ...linear('h.0.attn.c_proj', 4, 4),
  ]),
  bert: safetensors(['self.query', 'self.key', 'self.value', 'output.dense'].flatMap((part) => linear(`layer.0.attention.${part}`, 4, 4))),
  t5: safetensors([
    ...['q', 'k', 'v', 'o'].map((part) => [`block.0.SelfAttention.${part}.weight`, 'F16', [4, 4]]),
    ['block.0.SelfAttention.relative_attention_bias.weight', 'F16', [2, 2]],
  ]),
  llama: safetensors([
    ...[['q', 4], ['k', 2], ['v', 2], ['o', 4]].map(([part, out]) => [`self_attn.${part}_proj.weight`, 'BF16', [out, 4]]),
    ['self_attn.q_norm.weight', 'BF16', [2]], ['self_attn.k_norm.weight', 'BF16', [2]],
  ]),
  wide_heads: safetensors([
    ...[['q', 8, 3], ['k', 4, 3], ['v', 4, 3], ['o', 3, 8]].map(([part, out, wide]) => [`self_attn.${part}_proj.weight`, 'F32', [out, wide]]),
    ['self_attn.q_norm.weight', 'F32', [2]], ['self_attn.k_norm.weight', 'F32', [2]],
  ]),
  config: Buffer.from('{"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 6, "rope_theta": 500000, ' +
    '"rope_scaling": {"type": "linear"}, "partial_rotary_factor": 1, "decoder_attention_heads": 4}'),
});

// Heads, scale and switches, then the file: see attention_file_fuzz.cpp.
const seed = (heads, scale, switches, tensors) =>
  Buffer.concat([Buffer.from([heads, scale, switches]), safetensors(tensors)]);
write('attention_file_fuzz', {
  query: seed(1, 1, 0, [['query', 'F32', [2, 3, 4]]]),
  cross: seed(2, 2, 2, [
    ['query', 'F32', [2, 4]],
    ['key', 'F16', [3, 4]],
    ['value', 'F64', [3, 4]],
    ['other', 'I64', [1]],
  ]),
  in_proj: seed(2, 0, 1, [
    ['query', 'F32', [1, 2, 4]],
    ['in_proj_weight', 'F32', [12, 4]],
    ['in_proj_bias', 'F32', [12]],
    ['out_proj.weight', 'F32', [4, 4]],
    ['out_proj.bias', 'F32', [4]],
  ]),
  widths: seed(1, 39, 0, [
    ['query', 'F32', [1, 2, 2]],
    ['key', 'F32', [1, 3, 3]],
    ['value', 'BF16', [1, 3, 1]],
    ['q_proj_weight', 'F32', [2, 2]],
    ['k_proj_weight', 'F32', [2, 3]],
    ['v_proj_weight', 'F32', [2, 1]],
  ]),
  boolean_masks: seed(2, 1, 1, [
    ['query', 'F32', [2, 2, 2]],
    ['attn_mask', 'BOOL', [4, 2, 2]],
    ['key_padding_mask', 'BOOL', [2, 2]],
  ]),
  float_masks: seed(1, 1, 1, [
    ['query', 'F32', [3, 2]],
    ['key', 'F32', [2, 2]],
    ['attn_mask', 'F32', [3, 2]],
    ['key_padding_mask', 'F64', [2]],
  ]),
  full_mask: seed(2, 1, 0, [
    ['query', 'F32', [2, 2, 2]],
    ['attn_mask', 'F32', [2, 1, 2, 2]],
  ]),
});

const lesson = (example, ...steps) => JSON.stringify({ attention_live_lesson: 1, title: 't', example, steps });
const asked = (answer, state = { step: 'scores' }) => ({ text: 't', state, question: { text: 'q', answer, hint: 'h' } });
write('lesson_fuzz', {
  own: lesson({
    tokens: ['a', 'b'], heads: 2, embeddings: [[1, 2], [0.5, -1]], labels: ['x', 'y'], scale: 'none', mask: [[0, '-Infinity'], [0, 0]],
    weights: { q_proj_weight: [[1, 0], [0, 1]], k_proj_weight: [[0, 1], [1, 0]], v_proj_weight: [[2, 0], [0, 2]] },
  }, asked({ value_of: 'scores[0,0,1,0]', within: 0.1 }), { text: 'u', allow: ['edit'] }),
  random: lesson({
    tokens: ['a'], key_tokens: ['x', 'a'], embeddings: { seed: 3, width: 4 }, weights: { seed: 5 }, mask: [[true, false]],
  }, asked({ reach: { cell: 'attention_weights[0,0,0,0]', at_least: 0.9 } })),
  packed: lesson({
    tokens: ['a', 'b'], embeddings: [[1], [2]], scale: 2.5, mask: 'look-ahead',
    weights: { in_proj_weight: [[1], [2], [3]], in_proj_bias: [0, 1, 2], 'out_proj.weight': [[1]], 'out_proj.bias': [0.5] },
  }, asked({ number: 2, within: 0 })),
  ours: lesson('you-are-welcome', asked({ cell: 'cross_attention.scores[0,1,1,0]' }, '#step=mask&masks.cross_attention=look-ahead'),
    { text: 'c', state: { step: 'softmax', cell: 'cross_attention.scores[0,1,1,0]', edits: [] } }),
});

// A text, 0, the file: see tokenizer_fuzz.cpp.
const split = (text, ...files) => Buffer.from([text, ...files].join('\0'));
const tokenizer = (parts) => JSON.stringify({ added_tokens: [], normalizer: null, pre_tokenizer: null, post_processor: null, ...parts });
const surrounded = {
  type: 'TemplateProcessing', single: [{ SpecialToken: { id: '[C]' } }, { Sequence: { id: 'A' } }], special_tokens: { '[C]': { ids: [9], tokens: ['[C]'] } },
};
const letters = { h: 0, u: 1, g: 2, 'Ġ': 3, hu: 4, hug: 5, '<unk>': 6 };
write('tokenizer_fuzz', {
  gpt2: split("hug hug'll 12", tokenizer({
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false }, model: { type: 'BPE', vocab: letters, merges: ['h u', 'hu g'] },
    added_tokens: [{ id: 7, content: '<|end|>', lstrip: true, rstrip: true, single_word: true, normalized: true }],
  })),
  llama: split('huh \u00e9', tokenizer({
    normalizer: { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: '▁' }, { type: 'Replace', pattern: { String: ' ' }, content: '▁' }] },
    model: { type: 'BPE', unk_token: '<unk>', fuse_unk: true, byte_fallback: true, ignore_merges: true, vocab: { ...letters, '<0xC3>': 8 }, merges: [['h', 'u']] },
  })),
  bert: split('Huge \u00c9 猫!', tokenizer({
    normalizer: { type: 'BertNormalizer', lowercase: true }, pre_tokenizer: { type: 'BertPreTokenizer' }, post_processor: surrounded,
    model: { type: 'WordPiece', unk_token: '[U]', max_input_chars_per_word: 9, vocab: { '[U]': 0, h: 1, '##u': 2, '##ge': 3, '!': 4 } },
  })),
  t5: split('hug  huu', tokenizer({
    normalizer: { type: 'Sequence', normalizers: [{ type: 'NFKC' }, { type: 'Precompiled', precompiled_charsmap: 'CAAAAAAAAAAAAAAAYQA=' }] },
    pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, { type: 'Metaspace', replacement: '▁', prepend_scheme: 'first' }] },
    model: { type: 'Unigram', unk_id: 0, byte_fallback: true, vocab: [['<unk>', 0], ['▁', -2], ['h', -3], ['u', -3.5], ['▁hu', -4], ['<0x67>', -9]] },
  })),
  words: split('a1 b, c', tokenizer({
    normalizer: { type: 'Sequence', normalizers: [{ type: 'Lowercase' }, { type: 'NFD' }, { type: 'StripAccents' }, { type: 'Strip' }] },
    pre_tokenizer: { type: 'Sequence', pretokenizers: [
      { type: 'Whitespace' }, { type: 'Digits', individual_digits: true }, { type: 'Punctuation' },
      { type: 'Split', pattern: { String: 'b' }, behavior: 'MergedWithPrevious' },
    ] },
    post_processor: { type: 'BertProcessing', sep: ['b', 1], cls: ['a', 0] }, model: { vocab: { a: 0, b: 1, '[UNK]': 2 } },
  })),
  o200k: split("Hug's HUGs 12345\r\n  h", tokenizer({
    pre_tokenizer: { type: 'Sequence', pretokenizers: [
      { type: 'Split', behavior: 'Removed', invert: true, pattern: {
        Regex: "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{M}]*[\\p{Ll}\\p{Lo}\\p{M}]+(?i:'s|'t)?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]++[\\r\\n/]*|\\s+(?!\\S)|\\s+",
      } },
      { type: 'ByteLevel', use_regex: false },
    ] },
    model: { type: 'BPE', vocab: letters, merges: [['h', 'u']] }, added_tokens: [{ id: 8, content: 'HU', normalized: true, special: true }],
  })),
  level: split('a-b_c', tokenizer({
    normalizer: { type: 'Replace', pattern: { Regex: '(?<=a)-{1,2}|[a-c&&[^b]]*?$' }, content: '_' },
    pre_tokenizer: { type: 'Sequence', pretokenizers: [
      { type: 'Punctuation', behavior: 'Contiguous' }, { type: 'CharDelimiterSplit', delimiter: '-' },
      { type: 'Split', pattern: { Regex: '(?>a|ab)(?=b)' }, behavior: 'MergedWithNext' },
    ] },
    model: { type: 'WordLevel', unk_token: 'x', vocab: { x: 0, a: 1, b: 2 } },
  })),
  pattern: split('aab aab', '(?:a+)+b|(?<!b)\\s*(?i:A{2,3}?)|[[:alpha:]&&[^\\p{Lu}]]'),
  clip: split('HUG hug', JSON.stringify({ h: 0, u: 1, 'g</w>': 2, 'hu': 3, 'hug</w>': 4, '<|startoftext|>': 5, '<|endoftext|>': 6 }), 'h u\nhu g</w>\n',
    '{"tokenizer_class": "CLIPTokenizer", "bos_token": {"content": "<|startoftext|>", "lstrip": true}}', '{"unk_token": "<|endoftext|>"}', '{"new": 7}'),
  beside: split('Hug NEW a', '[UNK]\n[CLS]\n[SEP]\nhu\n##g\n', '',
    '{"do_lower_case": true, "strip_accents": false, "added_tokens_decoder": {"5": {"content": "New", "normalized": true, "rstrip": true}}}',
    '{"cls_token": "[SEP]", "additional_special_tokens": ["<a>"]}', '{"new": 7}'),
  list: split('Hug a', '[UNK]\n[CLS]\n[SEP]\nhu\n##g\n'),
  merges: split('hug', JSON.stringify(letters), '#version\nh u\nhu g\n'),
});
