// Types of attention-live.js, the module that defines <attention-live>.

/** A cell of a tensor, every place counted from 0. */
export interface AttentionLiveCell {
  attention?: string;
  tensor: string;
  index: number[];
}

export interface AttentionLiveEdit {
  attention: string;
  tensor: string;
  index: number[];
  /** −∞, in a mask, is "-Infinity". */
  value: number | '-Infinity';
}

export type AttentionLiveStep =
  | 'sentence' | 'input' | 'project' | 'split' | 'transpose' | 'scores'
  | 'scale' | 'mask' | 'softmax' | 'reweight' | 'merge' | 'output' | 'overview';

/** Everything that makes a view. Heads, queries, keys and samples count from 0. */
export interface AttentionLiveState {
  example: string;
  variant: string;
  step: AttentionLiveStep;
  attention: string;
  head: number;
  all_heads: boolean;
  mean_heads: boolean;
  query: number;
  key: number;
  sample: number;
  all_samples: boolean;
  shared_scale: boolean;
  /** The colour scale of weights ends at 1; false: at the largest weight. */
  weights_to_one: boolean;
  /** On the map of the translator: heads by what they do, not by layer. */
  sort_heads: boolean;
  /** There: what they do over held-out sentences, not over this one. */
  held_out_heads: boolean;
  map: 'cards' | 'split' | 'scale' | 'all';
  projection: 'q' | 'k' | 'v';
  /** How far the step has come, 0 to 1. */
  scrub: number;
  cell: { tensor: string; index: number[] } | null;
  /** What is in the middle, as fractions of the stage, and how large; null shows the whole step. */
  framing: [number, number, number] | null;
  show: 'auto' | 'matrices' | 'figure';
  /** The step is explained at length. */
  more: boolean;
  compare: boolean;
  guessing: boolean;
  /** Each matrix shows its gradient; needs a target. */
  gradients: boolean;
  /** A number that is set in output or attention_weights is a target. */
  learning: boolean;
  learning_rate: number;
  /** What learns: 'embeddings', 'q_proj_weight', … */
  learns: string[];
  scale: 'sqrt-head-dim' | 'sqrt-keys' | 'none' | number;
  mask: 'none' | 'padding' | 'look-ahead' | 'both';
  masks: Record<string, string>;
  position_encoding: boolean;
  seed: number;
  sentence: string;
  /** In translator: how many translations are followed at the same time; 1 is greedy decoding. */
  beam: 1 | 4;
  /** In translator: the tokens of the vocabulary that the translation begins with, whatever is most probable. */
  translation_begin: number[];
  picture: string;
  embed_dim: number;
  num_heads: number;
  /** Heads of keys and values, each shared by num_heads / num_kv_heads heads of queries. */
  num_kv_heads: number;
  /** In your-sentence: keys and values come from another sentence, whose vectors have this width; 0: the same one. */
  kdim: number;
  /** Each head's queries and keys are divided by their root mean square. */
  qk_norm: boolean;
  /** Rotary positions: their base, 10000 as a rule; 0: none. */
  rope: number;
  /** Linear biases: each head takes its slope times the distance of query and key from the scores. */
  alibi: boolean;
  /** Scaled scores are kept between −softcap and softcap; 0: as they are. */
  softcap: number;
  /** Each query sees so many last keys, its own included; 0: all. */
  window: number;
  /** Each head's attention sink, a further number in the softmax whose weight reaches no value; null: none. */
  sink: number | null;
  source_len: number;
  target_len: number;
  theme: 'auto' | 'light' | 'dark';
  edits: AttentionLiveEdit[];
  mistake: string;
  ablated_heads: Record<string, number[]>;
  given_weights: object[];
  /** What cells of output or of attention_weights should be. */
  target: AttentionLiveEdit[];
}

/** A tensor as it lies in memory: element [i, j, …] is data[offset + i·strides[0] + j·strides[1] + …]. */
export interface AttentionLiveTensor {
  name: string;
  shape: number[];
  strides: number[];
  offset: number;
  data: Float32Array;
  /** The tensor whose memory it shares, or null. */
  viewOf: string | null;
}

export interface AttentionLiveEventMap {
  /** Another state; at most about twenty a second are told, the last one always. */
  statechange: CustomEvent<{
    state: AttentionLiveState;
    /** null where the state is too large for a link. */
    link: string | null;
    /** Who changed it: the reader, a script or an attribute, a link in the prose, or the lesson that plays. */
    reason: 'reader' | 'script' | 'link' | 'play';
  }>;
  stepchange: CustomEvent<{ step: AttentionLiveStep; example: string }>;
  /** All edits that there are now. */
  edit: CustomEvent<{ edits: AttentionLiveEdit[] }>;
  /** The cell that is pointed to, or null. */
  cellhover: CustomEvent<{ cell: AttentionLiveCell | null }>;
  /** Another step of a lesson, counted from 0. */
  lessonstep: CustomEvent<{ step: number; steps: number; title: string }>;
  /** An answer was compared with what the program computes. */
  lessonanswer: CustomEvent<{
    step: number;
    right: boolean;
    /** What was typed, or the number of the cell in question; null where there is none. */
    value: number | null;
    /** From the right one: of numbers, or in cells; 0 where it is right, null where it cannot be said. */
    distance: number | null;
    attempts: number;
  }>;
  /** A sentence: a bad attribute or link, or why the figure cannot run. It bubbles as far as the document. */
  error: CustomEvent<{ message: string }>;
  /** It runs, for the first time or again. */
  start: CustomEvent<Record<string, never>>;
  /** It gave its memory and its GL context back, and keeps its state. */
  stop: CustomEvent<Record<string, never>>;
}

/** What an attribute is set to; null, undefined and false take it away, and true sets it without a value. */
export type AttentionLiveValue = string | number | boolean | null | undefined;

/** The attributes as JSX has them. `key` is none there, for frameworks keep that name for themselves: `key-index` is the same. */
export type AttentionLiveAttributes = {
  step?: AttentionLiveStep | null;
  state?: Partial<AttentionLiveState> | string | null;
  autoplay?: boolean | string;
  example?: string | number | null;
  variant?: string | number | null;
  attention?: string | number | null;
  head?: string | number | null;
  query?: string | number | null;
  'key-index'?: string | number | null;
  keyIndex?: string | number | null;
  sample?: string | number | null;
  seed?: string | number | null;
  sentence?: string | number | null;
  theme?: string | number | null;
  src?: string | number | null;
  page?: string | number | null;
  controls?: string | number | null;
  hide?: string | number | null;
  steps?: string | number | null;
  load?: string | number | null;
  keys?: string | number | null;
  label?: string | number | null;
  poster?: string | number | null;
};

/**
 * `<attention-live>`. Attributes: `example`, `variant`, `step`, `attention`, `head` (a number or "all"), `query`, `key` (or
 * `key-index`, where a framework keeps the name `key` for itself), `sample`, `seed`, `sentence`, `theme` ("light", "dark", or "auto": as the page's color-scheme or the system); `state`, a link's text, over which they go;
 * `src`, the address of a lesson (docs/lessons.md);
 * `controls` ("all", "steps", "none") and `hide` (any of bar, text, heads, legend, panel, steps, names); `steps` (the
 * names of those that readers can go to, with spaces between them); `load` ("visible", "click", "eager"); `keys`
 * ("figure", or "page": the page has all keys but what is typed into a field); `autoplay`:
 * the step plays by itself, once; `page`, the address that copied links begin with, or `<meta
 * name="attention-live-page" content="…">` for all figures; `label`, its name for people who cannot see it; `poster`
 * ("on", "off" or an address). All but `load`, `autoplay` and `poster` may be changed at any time. Width and height are
 * CSS's. Each but `state` and `lang` is a property as well, which reads and writes the attribute.
 *
 * `<a href="#step=softmax&query=2" data-attention-live="ID">` anywhere in the page sets the figure with that id; with
 * `data-attention-live-hover` also for as long as the link is pointed to or has the focus.
 */
export class AttentionLiveElement extends HTMLElement {
  /**
   * The whole state; null until it has run. Setting takes a part of one, or a link, and waits until the element is in a
   * page; what is wrong is an `error`. null and undefined change nothing.
   */
  get state(): AttentionLiveState | null;
  set state(change: Partial<AttentionLiveState> | string | null | undefined);
  /** The state as a link, "#v=1&example=…". */
  get link(): string;
  set link(link: string | null | undefined);
  get example(): string | null;
  set example(value: AttentionLiveValue);
  get variant(): string | null;
  set variant(value: AttentionLiveValue);
  get step(): string | null;
  set step(value: AttentionLiveValue);
  get attention(): string | null;
  set attention(value: AttentionLiveValue);
  get head(): string | null;
  set head(value: AttentionLiveValue);
  get query(): string | null;
  set query(value: AttentionLiveValue);
  get key(): string | null;
  set key(value: AttentionLiveValue);
  get keyIndex(): string | null;
  set keyIndex(value: AttentionLiveValue);
  get sample(): string | null;
  set sample(value: AttentionLiveValue);
  get seed(): string | null;
  set seed(value: AttentionLiveValue);
  get sentence(): string | null;
  set sentence(value: AttentionLiveValue);
  get theme(): string | null;
  set theme(value: AttentionLiveValue);
  get src(): string | null;
  set src(value: AttentionLiveValue);
  get page(): string | null;
  set page(value: AttentionLiveValue);
  get controls(): string | null;
  set controls(value: AttentionLiveValue);
  get hide(): string | null;
  set hide(value: AttentionLiveValue);
  get steps(): string | null;
  set steps(value: AttentionLiveValue);
  get load(): string | null;
  set load(value: AttentionLiveValue);
  get keys(): string | null;
  set keys(value: AttentionLiveValue);
  get label(): string | null;
  set label(value: AttentionLiveValue);
  get poster(): string | null;
  set poster(value: AttentionLiveValue);
  get autoplay(): boolean;
  set autoplay(value: AttentionLiveValue);
  /** The element, once its first frame is drawn; rejects with the reason where it cannot be. */
  readonly ready: Promise<this>;
  readonly running: boolean;
  /**
   * Changes a part of the state; a link is a part as well. Rejects with a sentence, and then nothing has changed.
   * While the figure does not run the change waits for its start, and so does the promise; where it cannot, both end.
   */
  setState(change: Partial<AttentionLiveState> | string): Promise<AttentionLiveState>;
  /** A copy of a tensor, "q" or "cross_attention.q". Starts the figure where it does not run. */
  tensor(name: string): Promise<AttentionLiveTensor>;
  /** What the figure shows as a program in Python that computes the same; many numbers are read from a file. */
  program(library: 'numpy' | 'pytorch'): Promise<string>;
  /**
   * Shows an attention of a .safetensors file, or of one at an address: `layer`, or the one that the reader chooses.
   * Resolves with its name, or with null where the reader chose none. Starts the figure where it does not run.
   * `beside`: files that come with it, the other shards of the model, config.json, an array .npy of tokens, and a
   * tokenizer, which is tokenizer.json, vocab.txt, or vocab.json with merges.txt; beside one of the last two also
   * tokenizer_config.json, special_tokens_map.json and added_tokens.json. `words`: a text that the tokenizer makes tokens of; `ids`: tokens by
   * their ids; both are rows of the file's embeddings. A .npy or a tokenizer alone is for the attention that is shown.
   */
  openFile(file: File | string | URL, options?: {
    layer?: string; beside?: (File | string | URL)[]; words?: string; ids?: number[];
  }): Promise<string | null>;
  /**
   * Shows the attention of a file with other tokens: a text, where a tokenizer was opened with it; else token ids with
   * commas between them. Resolves with its name.
   */
  typeWords(words: string): Promise<string>;
  /**
   * Shows a lesson: the text of such a file, or what it says. Resolves once the figure runs, with its title and steps;
   * rejects with what is wrong, with `line` and `column`, and then the lesson before stays.
   */
  openLesson(lesson: string | object): Promise<{ title: string; language: string; steps: object[] }>;
  /** What is shown, in words and plain data. Starts the figure where it does not run. */
  describe(): Promise<Record<string, unknown>>;
  /** Chooses a cell, or none. */
  focusCell(cell: AttentionLiveCell | null): Promise<AttentionLiveState>;
  /** Plays the lesson from here, while it is in sight. */
  play(): void;
  pause(): void;
  /**
   * Runs it wherever it stands in the page; where it has failed, tries again. Resolves when it is drawn, and rejects with
   * the reason where it cannot run, is stopped before, or is not in a page.
   */
  start(): Promise<this>;
  /** Gives memory and GL context back; the last picture and the state stay. */
  stop(): void;

  addEventListener<K extends keyof AttentionLiveEventMap>(
    type: K, listener: (this: AttentionLiveElement, event: AttentionLiveEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'attention-live': AttentionLiveElement;
  }
}
