// The layer as an ONNX model, with the operators that an export from PyTorch has: MatMul, Add, Reshape, Transpose,
// Div, Softmax. Field numbers are those of onnx.proto.

import { kept, transposed } from './inputs.mjs';
import { bytes, join, number, text } from './protobuf.mjs';

const float32 = 1;
const int64 = 7;
const ofInts = 7; // AttributeProto.type INTS
const ofInt = 2; // AttributeProto.type INT

const asBytes = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

function tensor(name, shape, type, content) {
  return join(shape.map((length) => number(1, length)), number(2, type), text(8, name), bytes(9, asBytes(content)));
}

function attribute(name, value) {
  if (Array.isArray(value)) return join(text(1, name), value.map((each) => number(8, each)), number(20, ofInts));
  return join(text(1, name), number(3, value), number(20, ofInt));
}

function node(operator, inputs, output, attributes = {}) {
  return join(
    inputs.map((name) => text(1, name)), text(2, output), text(3, output), text(4, operator),
    Object.entries(attributes).map(([name, value]) => bytes(5, attribute(name, value))),
  );
}

function valueInfo(name, shape) {
  const dimensions = shape.map((length) => bytes(1, join(number(1, length))));
  const ofTensor = join(number(1, float32), bytes(2, join(dimensions)));
  return join(text(1, name), bytes(2, join(bytes(1, ofTensor))));
}

/** Shapes of what can be an output of the graph. */
function shapes({ tokens: L, embedDim: E, heads: H, headDim: D }) {
  const square = [1, H, L, L];
  const rows = [1, L, E];
  return {
    q: rows, k: rows, v: rows, scores: square, scaled_scores: square, masked_scores: square,
    attention_weights: square, head_outputs: [1, H, L, D], merged: rows, output: rows,
  };
}

/** What the graph gives: the output, or everything. Without a mask nothing is masked. */
export function outputsOf({ mask }, keep) {
  return keep ? kept.filter((name) => mask || name !== 'masked_scores') : ['output'];
}

/**
 * @param {import('./inputs.mjs').Problem} problem
 * @param {boolean} keep every intermediate is an output of the graph
 * @returns {Uint8Array} an ONNX model with the input `x`, [1, tokens, embed_dim]
 */
export function onnxModel(problem, keep) {
  const { tokens: L, embedDim: E, heads: H, headDim: D, mask } = problem;
  const initializers = [
    tensor('split', [4], int64, BigInt64Array.from([1, L, H, D], BigInt)),
    tensor('joined', [3], int64, BigInt64Array.from([1, L, E], BigInt)),
    tensor('divisor', [1], float32, Float32Array.of(Math.sqrt(D))),
    ...(mask ? [tensor('mask', [1, 1, L, L], float32, mask)] : []),
    ...['q', 'k', 'v', 'o'].flatMap((letter) => [
      tensor(`w${letter}`, [E, E], float32, transposed(problem[`w${letter}`], E)),
      tensor(`b${letter}`, [E], float32, problem[`b${letter}`]),
    ]),
  ];
  const project = (from, letter, to) => [
    node('MatMul', [from, `w${letter}`], `${to}_product`), node('Add', [`${to}_product`, `b${letter}`], to),
  ];
  const heads = (from, order) => [
    node('Reshape', [from, 'split'], `${from}_split`),
    node('Transpose', [`${from}_split`], `${from}_heads`, { perm: order }),
  ];
  const masked = mask ? 'masked_scores' : 'scaled_scores';
  const nodes = [
    project('x', 'q', 'q'), project('x', 'k', 'k'), project('x', 'v', 'v'),
    heads('q', [0, 2, 1, 3]), heads('k', [0, 2, 3, 1]), heads('v', [0, 2, 1, 3]),
    node('MatMul', ['q_heads', 'k_heads'], 'scores'),
    node('Div', ['scores', 'divisor'], 'scaled_scores'),
    mask ? [node('Add', ['scaled_scores', 'mask'], masked)] : [],
    node('Softmax', [masked], 'attention_weights', { axis: 3 }),
    node('MatMul', ['attention_weights', 'v_heads'], 'head_outputs'),
    node('Transpose', ['head_outputs'], 'merged_split', { perm: [0, 2, 1, 3] }),
    node('Reshape', ['merged_split', 'joined'], 'merged'),
    project('merged', 'o', 'output'),
  ].flat();
  const graph = join(
    nodes.map((each) => bytes(1, each)), text(2, 'attention'), initializers.map((each) => bytes(5, each)),
    bytes(11, valueInfo('x', [1, L, E])),
    outputsOf(problem, keep).map((name) => bytes(12, valueInfo(name, shapes(problem)[name]))),
  );
  const operators = join(text(1, ''), number(2, 13));
  return join(number(1, 7), text(2, 'attention-live bench'), bytes(7, graph), bytes(8, operators));
}
