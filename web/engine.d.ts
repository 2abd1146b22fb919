// Types of attention-live/engine: docs/engine.md.

type Nested<T> = readonly T[] | readonly Nested<T>[];

/** Numbers with a shape, in index order; or nested arrays. At most four axes and 2^24 numbers. */
export type TensorInput =
  | Nested<number>
  | {
    readonly shape: readonly number[];
    readonly data: readonly number[] | Float32Array | Float64Array | Int8Array | Int16Array | Int32Array | Uint8Array |
      Uint16Array | Uint32Array;
  };

/** A mask of booleans hides a key where it is true; one of numbers is added to the scores, and may hold -Infinity. */
export type MaskInput = TensorInput | Nested<boolean> | { readonly shape: readonly number[]; readonly data: readonly boolean[] };

/** Shapes as torch.nn.MultiheadAttention has them with batch_first; the batch axis B may be left out everywhere. */
export interface Layer {
  /** [B,Lq,E] */
  query: TensorInput;
  /** [B,Lk,kdim]; the query unless given. */
  key?: TensorInput;
  /** [B,Lk,vdim]; the key unless given. */
  value?: TensorInput;
  /** [3·E,E], or the next three. Without any there is no projection. */
  in_proj_weight?: TensorInput;
  q_proj_weight?: TensorInput;
  k_proj_weight?: TensorInput;
  v_proj_weight?: TensorInput;
  /** [3·E] */
  in_proj_bias?: TensorInput;
  /** [E,E] */
  'out_proj.weight'?: TensorInput;
  /** [E] */
  'out_proj.bias'?: TensorInput;
  /** [Lq,Lk], [B·H,Lq,Lk], [B,Lq,Lk] or [B,H,Lq,Lk] */
  attn_mask?: MaskInput;
  /** [B,Lk] */
  key_padding_mask?: MaskInput;
  /** [D], or [H·D] where normPlace is 'all'; with qkNorm */
  q_norm_weight?: TensorInput;
  /** [D], or [G·D] where normPlace is 'all'; with qkNorm */
  k_norm_weight?: TensorInput;
  /** [H], with sink */
  sinks?: TensorInput;
  /** [ropeDims/2], with rope: radians a position by which each pair is turned, in the place of those of base and scaling. */
  rope_frequencies?: TensorInput;
  /** [H,Lq,Lk], with positionBias: 'given' */
  position_bias?: TensorInput;
  /** [N,H], with the other kinds of positionBias */
  position_bias_table?: TensorInput;
  /** The query's shape: adds the gradient of every tensor, d_NAME, of ½ Σ (output − target)². */
  target?: TensorInput;

  /** 1 unless given. */
  heads?: number;
  /** Heads of keys and values, a divisor of heads: grouped queries; as many as heads unless given. */
  kvHeads?: number;
  /** Adds the look-ahead mask. */
  causal?: boolean;
  /** What scores are divided by; 'sqrt-head-dim' unless given. */
  scale?: 'sqrt-head-dim' | 'sqrt-keys' | 'none' | number;
  /** Rotary positions, with this base; true: 10000. */
  rope?: boolean | number;
  /** The first so many numbers of each head are turned, an even count; all unless given. */
  ropeDims?: number;
  /** Turns neighbours, numbers 2i and 2i + 1, instead of i and i + ropeDims/2. */
  ropePairs?: boolean;
  /**
   * For longer texts: 'linear:FACTOR', 'llama3:FACTOR,LENGTH,LOW,HIGH' (8192, 1 and 4 unless given) or
   * 'yarn:FACTOR,LENGTH,FAST,SLOW' (8192, 32 and 1 unless given).
   */
  ropeScaling?: `${'linear' | 'llama3' | 'yarn'}:${string}`;
  /** Multiplies turned queries and keys; of yarn 0.1 · ln FACTOR + 1 unless given. */
  ropeFactor?: number;
  /** Linear biases. */
  alibi?: boolean;
  /** A query sees its last so many keys. */
  window?: number;
  /** Later keys too, those nearer than the window. */
  windowBoth?: boolean;
  /**
   * Adds numbers to the scores by places alone: position_bias itself, or rows of position_bias_table as T5, decoders of T5,
   * and Swin's windows read them. Not together with alibi.
   */
  positionBias?: 'none' | 'given' | 't5' | 't5-look-back' | 'window';
  /** Of T5: from there on all keys share a row of the table; 128 unless given. */
  positionBiasDistance?: number;
  /** Scaled scores are kept between −softcap and softcap. */
  softcap?: number;
  /** Attention sinks: each head's further number in the softmax, unless `sinks` [H] gives them. */
  sink?: number;
  /** RMS norm of each head's queries and keys. */
  qkNorm?: boolean;
  /** Where it is: before rotary positions unless given, after them, or over all heads at once, before they are split. */
  normPlace?: 'heads' | 'rotated' | 'all';
  /** What it adds to the mean of squares; 1e-6 unless given. */
  normEps?: number;
}

export interface Tensor {
  shape: number[];
  /** In index order. */
  data: Float32Array;
}

export interface Trace {
  /** In the order in which they are computed: query_input, …, scores, …, weights, …, output, then gradients. */
  tensors: { [name: string]: Tensor };
}

/** Computes every tensor of the layer. Rejects with one sentence about what is wrong with it. */
export function trace(layer: Layer): Promise<Trace>;
