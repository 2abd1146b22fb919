// Writes a NumPy or PyTorch program that computes the same as a figure: inputs, weights and mask are literals, the rest is
// computed, and the last line compares the output with the figure's.

import { at } from './figures.mjs';
import { array, equal, literal, numpy, size, torch, withoutRepeats } from './literals.mjs';

/** The most numbers that are written out. */
export const mostNumbers = 4000;

const inputs = ['query_input', 'key_input', 'value_input'];
const weights = [
  'q_proj_weight', 'q_proj_bias', 'k_proj_weight', 'k_proj_bias', 'v_proj_weight', 'v_proj_bias',
  'out_proj_weight', 'out_proj_bias', 'sinks',
];
/** The tensors that `attention` needs, as far as an example has them. */
export const attentionTensors = [...inputs, ...weights, 'mask', 'q_heads', 'output'];
export const splitTensors = ['q', 'q_heads'];

/** Calls that differ between the two libraries. */
const calls = {
  np: {
    swapHeads: (x) => `${x}.transpose(0, 2, 1, 3)`,
    swapLast: (x) => `${x}.transpose(0, 1, 3, 2)`,
    repeat: (x) => `np.repeat(${x}, num_heads // num_kv_heads, axis=1)`,
    fill: (condition, x) => `np.where(${condition}, np.float32(0), ${x})`,
    all: (x) => `${x}.all(axis=-1, keepdims=True)`,
    difference: 'np.abs(output - shown).max()',
    strides: (x) => `[stride // ${x}.itemsize for stride in ${x}.strides]`,
    norm: '    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + np.float32(1e-6))',
    range: (length) => `np.arange(${length})`,
    single: (x) => `${x}.astype(np.float32)`,
    join: (parts) => `np.concatenate([${parts}], axis=-1)`,
    list: (x) => `np.array(${x})`,
    alike: (x, shape) => `np.broadcast_to(${x}, ${shape})`,
  },
  torch: {
    swapHeads: (x) => `${x}.transpose(1, 2)`,
    swapLast: (x) => `${x}.transpose(2, 3)`,
    repeat: (x) => `${x}.repeat_interleave(num_heads // num_kv_heads, dim=1)`,
    fill: (condition, x) => `(${x}).masked_fill(${condition}, 0.0)`,
    all: (x) => `${x}.all(dim=-1, keepdim=True)`,
    difference: '(output - shown).abs().max().item()',
    strides: (x) => `list(${x}.stride())`,
    norm: '    return x / torch.sqrt((x * x).mean(dim=-1, keepdim=True) + 1e-6)',
    range: (length) => `torch.arange(${length}, dtype=torch.float64)`,
    single: (x) => `${x}.float()`,
    join: (parts) => `torch.cat([${parts}], dim=-1)`,
    list: (x) => `torch.tensor(${x}, dtype=torch.float64)`,
    alike: (x, shape) => `${x}.expand(${shape})`,
  },
};

const hides = (value) => value === -Infinity;

/** Whether some query may see no key at all. */
function hidesARow(mask) {
  const [samples, heads, queries, keys] = mask.shape.map((length) => [...Array(length).keys()]);
  return samples.some((sample) => heads.some((head) => queries.some(
    (query) => keys.every((key) => hides(at(mask, sample, head, query, key))),
  )));
}

function given(tensors, dialect) {
  const lines = [];
  inputs.forEach((name, i) => {
    const same = inputs.slice(0, i).find((earlier) => equal(tensors[earlier], tensors[name]));
    lines.push(`${name} = ${same ?? array(tensors[name], dialect)}`);
  });
  for (const name of weights) if (tensors[name]) lines.push(`${name} = ${array(tensors[name], dialect)}`);
  if (tensors.mask) lines.push(`mask = ${array(withoutRepeats(tensors.mask), dialect)}`);
  return lines;
}

function linear(name, input, tensors, layer) {
  const bias = tensors[`${layer}_bias`] ? ` + ${layer}_bias` : '';
  return tensors[`${layer}_weight`] ? `${name} = ${input} @ ${layer}_weight.T${bias}` : `${name} = ${input}`;
}

/** The function `split`. If heads share keys and values, it takes the number of heads. */
function split(mistake, grouped, write) {
  const wrong = mistake === 'no-transpose';
  const count = grouped ? 'heads' : 'num_heads';
  const heads = wrong
    ? `return x.reshape(batch, ${count}, length, -1)  # the mistake: no transpose`
    : `return ${write.swapHeads(`x.reshape(batch, length, ${count}, -1)`)}`;
  const head = grouped ? 'def split(x, heads):  # [B, L, heads · D] → [B, heads, L, D]'
    : 'def split(x):  # [B, L, E] → [B, H, L, D]';
  return [head, '    batch, length, _ = x.shape', `    ${heads}`];
}

function intoHeads(grouped, write) {
  if (!grouped) return ['q_heads, k_heads, v_heads = split(q), split(k), split(v)'];
  return [
    'q_heads = split(q, num_heads)',
    ...['k', 'v'].map((x) => `${x}_heads = ${write.repeat(`split(${x}, num_kv_heads)`)}  # the same for several heads`),
  ];
}

function divisor(scale) {
  const named = { 'sqrt-head-dim': 'head_dim ** 0.5', 'sqrt-keys': 'k_heads.shape[2] ** 0.5' };
  return named[scale] ?? String(scale);
}

function scale(state) {
  if (state.mistake === 'no-scale') return 'scaled_scores = scores  # the mistake: no scale';
  return `scaled_scores = scores${state.scale === 'none' ? '' : ` / ${divisor(state.scale)}`}`;
}

/** Functions for the variants of attention that are chosen. */
function variantFunctions(state, dialect, write) {
  const { module } = dialect;
  const lines = [];
  if (state.qk_norm) lines.push('def rms_norm(x):', write.norm, '');
  if (state.rope) {
    lines.push(
      'def rotate(x):  # numbers i and i + D/2 of a head, by position · base^(−2i/D)',
      '    half = x.shape[-1] // 2',
      `    angle = ${write.range('x.shape[-2]')}[:, None] * ${state.rope} ** (-${write.range('half')} / half)`,
      `    cos, sin = ${write.single(`${module}.cos(angle)`)}, ${write.single(`${module}.sin(angle)`)}`,
      '    a, b = x[..., :half], x[..., half:]',
      `    return ${write.join('a * cos - b * sin, b * cos + a * sin')}`, '',
    );
  }
  if (state.alibi) {
    lines.push(
      'def slopes(heads):',
      '    power = 1 << heads.bit_length() - 1  # the largest power of two',
      '    first = [2 ** (-8 * (head + 1) / power) for head in range(power)]',
      '    return first + [2 ** (-4 * (2 * head + 1) / power) for head in range(heads - power)]', '',
    );
  }
  return lines;
}

/** What variants of attention do to the heads before their scores. */
function turned(state) {
  return [
    ...(state.qk_norm ? ['q_heads, k_heads = rms_norm(q_heads), rms_norm(k_heads)'] : []),
    ...(state.rope ? ['q_heads, k_heads = rotate(q_heads), rotate(k_heads)'] : []),
  ];
}

/** What they do to scaled scores: lines, and the name of what the mask is added to. */
function beforeMask(state, dialect, write) {
  const lines = [];
  let scores = 'scaled_scores';
  if (state.softcap) {
    lines.push(`capped_scores = ${state.softcap} * ${dialect.module}.tanh(${scores} / ${state.softcap})`);
    scores = 'capped_scores';
  }
  if (state.alibi) {
    const along = (axis) => write.range(`${scores}.shape[${axis}]`);
    lines.push(
      `distance = abs(${along(-2)}[:, None] - ${along(-1)})`,
      `alibi_bias = ${write.single(`(-${write.list('slopes(num_heads)')}[:, None, None] * distance)`)}`,
      `biased_scores = ${scores} + alibi_bias`,
    );
    scores = 'biased_scores';
  }
  return { lines, scores };
}

function maskScores(state, mask, dialect, write) {
  const hidden = `${dialect.module}.isneginf(mask)`;
  const { lines, scores } = beforeMask(state, dialect, write);
  if (!mask || state.mistake === 'mask-after-softmax') return [...lines, `masked_scores = ${scores}`];
  if (state.mistake === 'mask-with-zero') {
    return [...lines, `masked_scores = ${write.fill(hidden, `${scores} + mask`)}  # the mistake: 0 for −∞`];
  }
  return [...lines, `masked_scores = ${scores} + mask`];
}

function softmax(state, mask, dialect, write) {
  if (state.mistake === 'no-softmax') {
    const copy = dialect === torch ? 'masked_scores.clone()' : 'masked_scores.copy()';
    const weights = mask ? write.fill(`${dialect.module}.isneginf(mask)`, 'masked_scores') : copy;
    return [`attention_weights = ${weights}  # the mistake: no softmax`];
  }
  const axis = state.mistake === 'softmax-over-queries' ? -2 : -1;
  const blind = mask !== undefined && hidesARow(mask);
  const lines = [];
  const sinks = state.sink !== null && state.sink !== undefined; // then none of these mistakes is made
  const scores = sinks ? 'with_sinks' : 'masked_scores';
  if (sinks) {
    const column = write.alike('sinks[:, None, None]', '(*masked_scores.shape[:-1], 1)');
    lines.push(`with_sinks = ${write.join(`masked_scores, ${column}`)}  # one more score in each row`);
  }
  if (state.mistake === 'naive-softmax') {
    lines.push(
      `powers = ${dialect.module}.exp(masked_scores)  # the mistake: the largest score is not subtracted`,
      `attention_weights = powers / powers.sum(${dialect === torch ? 'dim=-1, keepdim' : 'axis=-1, keepdims'}=True)`,
    );
  } else if (dialect === torch) {
    lines.push(`attention_weights = torch.softmax(${scores}, dim=${axis})`);
  } else {
    const floor = blind ? ['np.maximum(', ', np.finfo(np.float32).min)'] : ['', ''];
    lines.push(
      `largest = ${floor[0]}${scores}.max(axis=${axis}, keepdims=True)${floor[1]}  # e to a large power overflows`,
      `powers = np.exp(${scores} - largest)`,
      `total = powers.sum(axis=${axis}, keepdims=True)`,
      `attention_weights = powers / ${blind ? 'np.where(total == 0, np.float32(1), total)' : 'total'}`,
    );
  }
  if (sinks) lines.push('attention_weights = attention_weights[..., :-1]  # what the sink got goes nowhere');
  const hidden = `${dialect.module}.isneginf(mask)`;
  if (state.mistake === 'mask-after-softmax' && mask) {
    lines.push(`attention_weights = ${write.fill(hidden, 'attention_weights')}  # the mistake: masked too late`);
  }
  if (blind) {
    lines.push(`attention_weights = ${write.fill(write.all(hidden), 'attention_weights')}  # every key hidden: 0/0 would be NaN`);
  }
  return lines;
}

function byHand(state, dialect) {
  return state.given_weights
    .filter((row) => (row.attention ?? state.attention) === state.attention)
    .map(({ sample, head, query, weights: row }) => {
      const numbers = `[${row.map((weight) => literal(Math.fround(weight), dialect)).join(', ')}]`;
      return `attention_weights[${sample}, ${head}, ${query}] = ${dialect.array(numbers)}  # set by hand`;
    });
}

/**
 * @param {{state: object, tensors: Record<string, object>}} figure its state and those of attentionTensors that it has
 * @param {typeof numpy} dialect numpy or torch
 * @returns {string} a program, or one comment that says why there is none
 */
export function attention({ state, tensors }, dialect) {
  const numbers = Object.values(tensors).reduce((sum, tensor) => sum + size(withoutRepeats(tensor)), 0);
  if (numbers > mostNumbers) {
    return `# ${numbers.toLocaleString('en')} numbers are too many to copy: at most ` +
      `${mostNumbers.toLocaleString('en')} are written out here.\n`;
  }
  const write = calls[dialect.module];
  const { mistake } = state;
  const grouped = state.num_kv_heads !== undefined && state.num_kv_heads !== state.num_heads;
  const off = state.ablated_heads[state.attention] ?? [];
  const merged = mistake === 'no-transpose' ? 'head_outputs' : write.swapHeads('head_outputs');
  const keys = mistake === 'keys-not-transposed' ? 'k_heads' : write.swapLast('k_heads');
  return [
    dialect.importing, '',
    `# ${state.example}: ${state.attention}`,
    ...given(tensors, dialect), '',
    `num_heads = ${tensors.q_heads.shape[1]}`,
    ...(grouped ? [`num_kv_heads = ${state.num_kv_heads}`] : []),
    'head_dim = query_input.shape[-1] // num_heads', '',
    ...split(mistake, grouped, write), '',
    ...variantFunctions(state, dialect, write),
    linear('q', 'query_input', tensors, 'q_proj'),
    linear('k', 'key_input', tensors, 'k_proj'),
    linear('v', 'value_input', tensors, 'v_proj'),
    ...intoHeads(grouped, write),
    ...turned(state), '',
    `scores = q_heads @ ${keys}`,
    scale(state),
    ...maskScores(state, tensors.mask, dialect, write),
    ...softmax(state, tensors.mask, dialect, write),
    ...byHand(state, dialect),
    'head_outputs = attention_weights @ v_heads',
    ...off.map((head) => `head_outputs[:, ${head}] = 0  # switched off`), '',
    'batch, _, length, _ = head_outputs.shape',
    `merged = ${merged}.reshape(batch, length, -1)`,
    linear('output', 'merged', tensors, 'out_proj'), '',
    `shown = ${array(tensors.output, dialect)}`,
    'print(output)',
    `print("largest difference:", ${write.difference})`,
    '',
  ].join('\n');
}

/** Split and transpose alone, the wrong way beside the right one. */
export function splitting({ tensors }, dialect) {
  if (size(tensors.q) > mostNumbers / 4) return `# ${size(tensors.q)} numbers are too many to copy.\n`;
  const write = calls[dialect.module];
  return [
    dialect.importing, '',
    `q = ${array(tensors.q, dialect)}`,
    'batch, length, embed_dim = q.shape',
    `num_heads = ${tensors.q_heads.shape[1]}`,
    'head_dim = embed_dim // num_heads', '',
    'q_split = q.reshape(batch, length, num_heads, head_dim)',
    `q_heads = ${write.swapHeads('q_split')}`,
    'wrong = q_split.reshape(batch, num_heads, length, head_dim)  # the same shape', '',
    'print("strides:", ' + `${write.strides('q_heads')})`,
    'print("head 0:", q_heads[0, 0])',
    'print("not head 0:", wrong[0, 0])',
    '',
  ].join('\n');
}

export { numpy, torch };
