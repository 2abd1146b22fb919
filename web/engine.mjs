// The engine by itself: every tensor of an attention layer, in a page, a worker or Node, without canvas or DOM.
// docs/engine.md; the types are in engine.d.ts. The other side is src/main_engine.cpp.

const inputs = ['query', 'key', 'value', 'in_proj_weight', 'q_proj_weight', 'k_proj_weight', 'v_proj_weight',
  'in_proj_bias', 'out_proj.weight', 'out_proj.bias', 'attn_mask', 'key_padding_mask', 'q_norm_weight',
  'k_norm_weight', 'sinks', 'rope_frequencies', 'position_bias', 'position_bias_table', 'target'];
const masks = ['attn_mask', 'key_padding_mask'];
const scales = ['none', 'sqrt-head-dim', 'sqrt-keys']; // or a number
const usualBase = 10000; // of rotary positions: Su et al., 2021
const mostAxes = 4;
const mostNumbers = 2 ** 24; // of a tensor: model::Limits
const largestSize = 1e9;
/** An engine whose memory has grown beyond this is not kept for the next trace: memory of WebAssembly never shrinks. */
const keptBytes = 64 * 2 ** 20;

/** A sentence about a bad input. */
class Refusal extends Error {
  name = 'Error';
}

// The module and an instance of it.

/** The module's bytes. Node's fetch does not read files. */
async function codeBytes(address) {
  if (address.protocol === 'file:') {
    const files = 'node:fs/promises';
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files);
    return readFile(address);
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname} cannot be loaded: the server answered ${response.status}.`);
  return response.arrayBuffer();
}

let compiled = null;

/** Compiles the module once. After a failure the next call tries again. */
function compile() {
  compiled ??= codeBytes(new URL('./engine.wasm', import.meta.url)).then((bytes) => WebAssembly.compile(bytes));
  compiled.catch(() => { compiled = null; });
  return compiled;
}

/** What src/kernels/relaxed_kernel.js does for the page's program. 0: this browser has no relaxed SIMD. */
function connectRelaxedKernel({ memory, __indirect_function_table: table }, code, length) {
  try {
    const kernel = new WebAssembly.Module(new Uint8Array(memory.buffer, code, length).slice());
    const place = table.grow(1);
    table.set(place, new WebAssembly.Instance(kernel, { env: { memory } }).exports.multiply_panel);
    return place;
  } catch {
    return 0;
  }
}

/** What src/platform/web/web_numbers.cpp does for it: the number that a text is, which ends with a 0. */
function numberAt({ memory }, text) {
  const bytes = new Uint8Array(memory.buffer, text);
  return Number(new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0))));
}

let kept = null;

async function instantiate() {
  if (kept) return kept;
  const module = await compile();
  if (kept) return kept;
  let exports = null;
  const answers = {
    emscripten_notify_memory_growth() {},
    attention_connect_relaxed_kernel: (code, length) => connectRelaxedKernel(exports, code, length),
    page_number: (text) => numberAt(exports, text >>> 0),
  };
  // The rest is what a program could ask of a system, and this one asks only when it ends.
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = answers[name] ?? (() => { throw new WebAssembly.RuntimeError(name); });
  }
  ({ exports } = await WebAssembly.instantiate(module, imports));
  exports._initialize?.();
  kept ??= exports;
  return kept;
}

// What is asked for.

const described = (value) => {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (value === null || ['number', 'boolean', 'undefined'].includes(typeof value)) return String(value);
  return Array.isArray(value) ? 'an array' : `a${typeof value === 'object' ? 'n object' : ` ${typeof value}`}`;
};

/** The shape of nested arrays, by their first elements. */
function shapeOf(name, nested) {
  const shape = [];
  for (let inner = nested; Array.isArray(inner) || ArrayBuffer.isView(inner); inner = inner[0]) {
    if (shape.length === mostAxes) throw new Refusal(`${name} has more than ${mostAxes} axes.`);
    shape.push(inner.length);
  }
  return shape;
}

/** Fills `numbers` with nested arrays, which must have the shape everywhere. */
function flatten(name, nested, shape, numbers) {
  const walk = (inner, axis, at, size) => {
    const isArray = Array.isArray(inner) || ArrayBuffer.isView(inner);
    if (axis === shape.length) {
      if (isArray) throw new Refusal(`${name} is ragged: an array stands where its first number has a number.`);
      numbers[at] = inner;
      return;
    }
    if (!isArray || inner.length !== shape[axis]) {
      throw new Refusal(`${name} is ragged: the arrays of its axis ${axis} are not all of length ${shape[axis]}.`);
    }
    const part = size / shape[axis];
    for (let i = 0; i < inner.length; ++i) walk(inner[i], axis + 1, at + i * part, part);
  };
  walk(nested, 0, 0, numbers.length);
}

const isTyped = (data) => ArrayBuffer.isView(data) && !(data instanceof DataView);

/** A tensor as it was given → {boolean, shape, data}; data as something that a typed array can be set to. */
function readTensor(name, given) {
  const nested = Array.isArray(given);
  if (!nested && (typeof given !== 'object' || given === null || !given.data || !given.shape)) {
    throw new Refusal(`${name} is ${described(given)}; it must be nested arrays of numbers, or {shape, data}.`);
  }
  const shape = nested ? shapeOf(name, given) : given.shape;
  if (!Array.isArray(shape) || shape.length === 0 || shape.length > mostAxes ||
      !shape.every((length) => Number.isInteger(length) && length >= 1 && length <= largestSize)) {
    throw new Refusal(`${name} must have a shape of 1 to ${mostAxes} whole numbers, each at least 1.`);
  }
  const size = shape.reduce((product, length) => product * length, 1);
  if (size > mostNumbers) {
    throw new Refusal(`${name} has shape [${shape}], ${size} numbers; at most ${mostNumbers} are allowed.`);
  }
  let { data } = given;
  if (nested) flatten(name, given, shape, data = new Array(size));
  if (!Array.isArray(data) && !isTyped(data)) {
    throw new Refusal(`The data of ${name} are ${described(data)}; they must be an array or a typed array of numbers.`);
  }
  if (data.length !== size) {
    throw new Refusal(`${name} has shape [${shape}], ${size} numbers, but ${data.length} numbers as data.`);
  }
  const kind = Array.isArray(data) ? typeof data[0] : typeof data[0] === 'bigint' ? 'bigint' : 'number';
  const boolean = kind === 'boolean';
  if (Array.isArray(data)) {
    for (let i = 0; i < size; ++i) {
      if (typeof data[i] === kind && (boolean || kind === 'number')) continue;
      throw new Refusal(`${name} holds ${described(data[i])}; it must hold numbers${
        masks.includes(name) ? ', or booleans only' : ''}.`);
    }
  } else if (kind !== 'number') {
    throw new Refusal(`${name} holds whole numbers of 64 bits; give it as a Float32Array.`);
  }
  const isMask = masks.includes(name);
  if (boolean && !isMask) throw new Refusal(`${name} holds booleans; it must hold numbers.`);
  if (isMask && (data instanceof Uint8Array || data instanceof Uint8ClampedArray)) {
    throw new Refusal(`${name} is a ${data.constructor.name}; give booleans, where true hides a key, or numbers that ` +
      'are added to the scores.');
  }
  return { boolean, shape, data };
}

// Each gives what the engine reads; null: as if it had not been given.

function whole(value, name) {
  if (Number.isInteger(value) && value >= 1 && value <= largestSize) return value;
  throw new Refusal(`${name} is ${described(value)}; it must be a whole number from 1 to ${largestSize}.`);
}

const within = (smallest, largest) => (value, name) => {
  if (typeof value === 'number' && value >= smallest && value <= largest) return value;
  throw new Refusal(`${name} is ${described(value)}; it must be a number from ${smallest} to ${largest}.`);
};

function on(value, name) {
  if (typeof value === 'boolean') return value;
  throw new Refusal(`${name} is ${described(value)}; it must be true or false.`);
}

function readScale(scale) {
  if (scales.includes(scale)) return scale;
  if (typeof scale === 'number' && Number.isFinite(Math.fround(scale)) && Math.fround(scale) !== 0) return scale;
  throw new Refusal(`scale is ${described(scale)}; it must be "sqrt-head-dim", "sqrt-keys", "none", or a number other ` +
    'than 0 that the scores are divided by.');
}

const base = within(1, 1e12);
const readRope = (rope, name) => (rope === false ? null : base(rope === true ? usualBase : rope, name));

/** The engine knows which words there are. A sign beyond ASCII is in none of them. */
const word = (value) => (typeof value === 'string' ? value : described(value)).replace(/[^ -~]/g, '?');

/** Names and meanings are the command's. */
const settings = {
  heads: whole, kvHeads: whole, causal: on, scale: readScale, rope: readRope, ropeDims: whole, ropePairs: on,
  ropeScaling: word, ropeFactor: within(1e-12, 1e6), alibi: on, window: whole, windowBoth: on, positionBias: word,
  positionBiasDistance: whole, softcap: within(1e-3, 1e6), sink: within(-1e4, 1e4), qkNorm: on, normPlace: word,
  normEps: within(1e-12, 1e6),
};

/** Settings, and of some of them values, without which others and tensors would not be read. */
const needs = [
  ['rope', [], ['ropeDims', 'ropePairs', 'ropeScaling', 'ropeFactor', 'rope_frequencies']],
  ['window', [], ['windowBoth']],
  ['sink', [], ['sinks']],
  ['qkNorm', [true], ['normPlace', 'normEps', 'q_norm_weight', 'k_norm_weight']],
  ['positionBias', ['given'], ['position_bias']],
  ['positionBias', ['t5', 't5-look-back', 'window'], ['position_bias_table']],
  ['positionBias', ['t5', 't5-look-back'], ['positionBiasDistance']],
];

/** Refuses what would be passed over. */
function checkNeeds(asked) {
  const isChosen = (name) => ![undefined, null, false].includes(asked[name]);
  for (const [needed, values, names] of needs) {
    if (values.length === 0 ? isChosen(needed) : values.includes(asked[needed])) continue;
    const unread = names.find(isChosen);
    if (unread) throw new Refusal(`${unread} is used with ${[needed, values.join(' or ')].filter(Boolean).join(': ')} only.`);
  }
}

/** Everything that was asked for, judged. */
function read(asked) {
  if (typeof asked !== 'object' || asked === null) {
    throw new Refusal(`trace needs an object with a query, and was given ${described(asked)}.`);
  }
  for (const name of Object.keys(asked)) {
    if (!inputs.includes(name) && !Object.keys(settings).includes(name)) {
      throw new Refusal(`${described(name)} is not known; tensors are ${inputs.join(', ')}; options are ${
        Object.keys(settings).join(', ')}.`);
    }
  }
  const has = (name) => asked[name] !== undefined && asked[name] !== null;
  if (!has('query')) throw new Refusal('trace needs a query.');
  const chosen = Object.keys(settings).filter(has).map((name) => [name, settings[name](asked[name], name)]);
  checkNeeds(asked);
  // The same object for several of them is self-attention, whose tensors are kept once.
  const repeated = (name) => (name === 'key' && asked.key === asked.query) ||
    (name === 'value' && asked.value === (asked.key ?? asked.query));
  const tensors = inputs.filter((name) => has(name) && !repeated(name))
    .map((name) => ({ name, ...readTensor(name, asked[name]) }));
  const set = chosen.filter(([, value]) => value !== null).map(([name, value]) => [name, String(value)]);
  if (has('target')) set.push(['gradients', 'true']);
  return { tensors, settings: JSON.stringify(Object.fromEntries(set)) };
}

// Passing it to the engine, and reading what that computed.

/** ASCII only. */
function passText(engine, text) {
  const place = engine.engine_text(text.length) >>> 0; // its memory may have grown
  new TextEncoder().encodeInto(text, new Uint8Array(engine.memory.buffer, place, text.length));
}

function pass(engine, { name, boolean, shape, data }) {
  passText(engine, name);
  const axes = Array.from({ length: mostAxes }, (_, axis) => shape[axis] ?? 1);
  const place = engine.engine_input(boolean, shape.length, ...axes) >>> 0;
  new (boolean ? Uint8Array : Float32Array)(engine.memory.buffer, place, data.length).set(data);
}

function textAt(engine, which) {
  const place = engine.engine_name(which) >>> 0;
  return new TextDecoder().decode(new Uint8Array(engine.memory.buffer, place, engine.engine_text_length()).slice());
}

function resultAt(engine, which) {
  const name = textAt(engine, which);
  const [rank, ...lengths] = new Uint32Array(engine.memory.buffer, engine.engine_shape(which) >>> 0, 1 + 5);
  const shape = lengths.slice(0, rank);
  const size = shape.reduce((product, length) => product * length, 1);
  const place = engine.engine_data(which) >>> 0;
  return [name, { shape, data: new Float32Array(engine.memory.buffer, place, size).slice() }];
}

function compute(engine, { tensors, settings: chosen }) {
  engine.engine_start();
  for (const tensor of tensors) pass(engine, tensor);
  passText(engine, chosen);
  const count = engine.engine_run();
  if (count === 0) throw new Refusal(textAt(engine, 0));
  return Object.fromEntries(Array.from({ length: count }, (_, which) => resultAt(engine, which)));
}

/**
 * Computes every tensor of an attention layer. Names, shapes and numbers are those of the command's
 * `attention-live trace IN.safetensors`.
 * @param {import('./engine.d.ts').Layer} layer
 * @returns {Promise<import('./engine.d.ts').Trace>}
 * @throws {Error} with one sentence about what is wrong with the layer
 */
export async function trace(layer) {
  const asked = read(layer);
  const engine = await instantiate();
  try {
    const tensors = compute(engine, asked);
    engine.engine_start();
    if (engine.memory.buffer.byteLength > keptBytes) kept = null;
    return { tensors };
  } catch (cause) {
    if (!(cause instanceof Refusal)) kept = null; // it stopped in the middle
    if (cause instanceof WebAssembly.RuntimeError || cause instanceof RangeError) {
      throw new Error('The tensors of this layer need more memory than the engine can have, 2 GiB.', { cause });
    }
    throw cause;
  }
}
