// A rehearsal of the page's first moments, so that it is known which of the program's functions these need. It runs
// under Node: what a canvas and its WebGL2 context are asked is answered as a browser would, and nothing is drawn.

import { fields } from '../../web/program/first.mjs';

const steps = [
  'overview', 'input', 'project', 'split', 'transpose', 'scores', 'scale', 'mask', 'softmax', 'reweight', 'merge', 'output',
];
const examples = [
  'you-are-welcome', 'pool-beats-badminton', 'counting', 'anthony-hopkins', 'lazy-dog', 'gender-and-number',
  'image-patches', 'your-sentence',
];

const [mouse, finger] = [0, 1]; // as al_pointer has them

/** A WebGL2 context that takes everything: what is made exists, what is compiled compiles. */
function context() {
  const answers = {
    getExtension: () => null,
    getSupportedExtensions: () => [],
    getParameter: () => 8192,
    getShaderParameter: () => true,
    getProgramParameter: () => 1, // linked; and so many uniforms
    getActiveUniform: () => ({ name: 'uniform', size: 1, type: 0x1406 }), // FLOAT
    getShaderInfoLog: () => '',
    getProgramInfoLog: () => '',
    getError: () => 0,
    isContextLost: () => false,
    checkFramebufferStatus: () => 0x8cd5, // FRAMEBUFFER_COMPLETE
  };
  const made = /^(create|getUniformLocation|fenceSync)/;
  return new Proxy(answers, {
    get: (known, name) => known[name] ?? (made.test(String(name)) ? () => ({}) : () => undefined),
  });
}

/** A canvas for letters that the program's own fonts lack: each is a square of nothing. */
const letters = () => ({
  getContext: () => ({
    canvas: {},
    measureText: () => ({
      width: 8, actualBoundingBoxLeft: 0, actualBoundingBoxRight: 8, actualBoundingBoxAscent: 8, actualBoundingBoxDescent: 0,
    }),
    fillText() {},
    getImageData: (x, y, width, height) => ({ data: new Uint8ClampedArray(4 * width * height) }),
  }),
});

/** A clock that goes on by one frame when it is told to: the same rehearsal every time. */
const clock = { milliseconds: 0, now: () => clock.milliseconds };

/** What the program asks of the page (web/program/boot.mjs); nothing of it is needed here. */
const page = new Proxy({}, { get: () => () => {} });

/** What can be done to a running program, by hand and by its API (web/program/program.mjs). */
function controls(program) {
  let pointed = 0;
  /** Puts strings where the next call reads them, one after the other. */
  const write = (text) => {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(program.memory.buffer, program._al_scratch(bytes.length), bytes.length).set(bytes);
    return bytes.length;
  };
  const frames = (count) => {
    for (let i = 0; i < count; i += 1) {
      clock.milliseconds += 16;
      program._al_animation_frame();
    }
    program._al_changes();
    program._al_scene();
    program._al_theme();
  };
  const point = (x, y, source = mouse) => {
    program._al_modifiers(0, 0, 0, 0);
    program._al_pointer(source, x, y);
    if ((pointed += 1) % 3 > 0) program._al_draw_again(); // at times more than one thing happens between two frames
  };
  const press = (x, y, source) => {
    point(x, y, source);
    program._al_button(0, 1);
    frames(1);
    program._al_button(0, 0);
    frames(2);
  };
  const drag = (x, y, source = mouse) => {
    point(x, y, source);
    program._al_button(0, 1);
    for (let i = 1; i < 5; i += 1) point(x + 9 * i, y + 5 * i, source);
    program._al_button(0, 0);
    frames(4);
  };
  const key = (name, held = 1) => {
    program._al_modifiers(0, 0, 0, 0);
    write(name + name); // as its code and as what it means
    program._al_key(name.length, name.length, 1);
    frames(held);
    write(name + name);
    program._al_key(name.length, name.length, 0);
    program._al_settle();
    frames(3);
  };
  const call = (method, argument = {}) => {
    const words = JSON.stringify(argument);
    write(method + words);
    const place = program._al_call(method.length, words.length);
    const bytes = new Uint8Array(program.memory.buffer, place, program._al_answer_length());
    const answer = JSON.parse(new TextDecoder().decode(bytes));
    if ('error' in answer) throw new Error(`${method} ${words}: ${answer.error}`);
    return answer.result;
  };
  return { program, write, frames, point, press, drag, key, call };
}

/** Every step in three screens: pointed at everywhere, scrolled, zoomed and dragged, and then on with the keys. */
function walkThrough({ program, frames, point, drag, key }) {
  for (const [width, height, ratio, dark, still, grid] of [
    [390, 844, 2, 1, 0, 60], [720, 480, 1, 0, 1, 60], [1280, 800, 1, 0, 0, 30],
  ]) {
    program._al_preferences(dark, still, 0);
    program._al_surface(width * ratio, height * ratio, ratio);
    frames(3);
    for (let step = 0; step < steps.length; step += 1) {
      for (let y = 6; y < height; y += grid) for (let x = 6; x < width; x += grid) point(x, y);
      const [x, y] = [width / 2, height / 2];
      point(x, y);
      program._al_wheel(0, 1);
      frames(2);
      program._al_modifiers(1, 0, 0, 0);
      program._al_wheel(0, -1);
      program._al_modifiers(0, 1, 0, 0);
      program._al_wheel(1, 0);
      program._al_modifiers(0, 0, 0, 0);
      frames(2);
      program._al_gesture(x, y, 12, -7, 1.2);
      drag(x, y);
      drag(x, y, finger);
      program._al_pointer_gone();
      frames(2);
      key('ArrowRight');
    }
    key('ArrowLeft', 60);
    for (let step = 0; step < steps.length; step += 1) key('ArrowLeft');
  }
}

/** What the page asks by itself, what figures ask at their start, and what two fingers do. */
function ask({ program, write, frames, call }) {
  program._al_tensor(write('output'));
  call('describe');
  call('link');
  const { framing } = call('state');
  for (const where of [[0.4, 0.5, 1.5], framing]) {
    call('set', { framing: where });
    frames(2);
    call('link');
  }
  call('parts', { parts: ['bar', 'steps'] });
  frames(2);
  call('parts', { parts: ['bar', 'text', 'heads', 'legend', 'panel', 'steps'] });
}

/** Links to every step of every example, and each of them in the frame of an article and on a small phone. */
function openLinks({ program, frames, call }) {
  const look = (width, height) => {
    program._al_surface(width, height, 1);
    frames(2);
  };
  for (const example of examples) {
    const values = {
      v: 1, example, variant: 'translation', step: 'overview', attention: 'cross_attention', head: 1, all_heads: false,
      query: 1, key: 1, sample: 0, all_samples: true, theme: 'dark',
    };
    const known = fields.filter((field) => example === 'you-are-welcome' || !['variant', 'attention'].includes(field));
    for (const [i, step] of steps.entries()) {
      const linkOf = (names) => `#${names.map((name) => `${name}=${{ ...values, step }[name]}`).join('&')}`;
      call('open', { link: linkOf(known), begins: true });
      frames(2);
      // Longer every time: short lists are sorted in other ways than long ones.
      call('open', { link: linkOf(known.slice(0, 1 + i)) });
      frames(2);
      call('link');
      look(640, 400);
      look(320, 568);
      look(1280, 800);
    }
  }
}

/** Every button that is on the screen, once; nothing is typed. */
function pressEverything({ program, press, call }) {
  for (const [width, height, source] of [[1280, 800, mouse], [390, 844, finger]]) {
    program._al_surface(width, height, 1);
    for (let y = 10; y < height; y += 28) {
      call('set', { example: 'you-are-welcome', step: 'overview' });
      for (let x = 10; x < width; x += 36) press(x, y, source);
    }
  }
}

/** What a reader does before anything else. */
function perform(program) {
  const all = controls(program);
  const { write, frames } = all;
  program._al_address(write('https://example.org/'));
  program._al_preferences(0, 1, 0);
  program._al_prepare(1280, 800, 1);
  program._al_open_window(1280, 800);
  program._al_focus(1);
  frames(2);
  walkThrough(all);
  ask(all);
  openLinks(all);
  pressEverything(all);
  program._al_focus(0);
  program._al_release_keys();
  program._al_context_lost();
  program._al_context_restored();
  frames(2);
}

/**
 * Runs an instrumented program.
 * @param {Function} factory Emscripten's, of the script around it
 * @param {WebAssembly.Module} code
 * @returns {Promise<Uint8Array>} the profile, as `wasm-split --instrument` writes it
 */
export async function rehearse(factory, code) {
  globalThis.document ??= { createElement: letters };
  globalThis.window ??= globalThis;
  Object.defineProperty(globalThis, 'performance', { value: clock });
  globalThis.WebGLRenderingContext ??= class {}; // what the context is not
  // What a browser may lack must not be what the first part relies on: relaxed SIMD.
  const { Module } = WebAssembly;
  WebAssembly.Module = class { constructor() { throw new Error('Not in a rehearsal.'); } };
  let memory = null;
  let writeProfile = null;
  const canvas = { width: 1280, height: 800, getContext: context, addEventListener() {}, style: {} };
  const program = await factory({
    canvas,
    page,
    noExitRuntime: true,
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(code, imports);
      memory = Object.values(instance.exports).find((each) => each instanceof WebAssembly.Memory);
      writeProfile = instance.exports.__write_profile;
      receive(instance, code);
      return instance.exports; // newer scripts call what is returned, older ones what they received
    },
  });
  perform(Object.assign(Object.create(program), { memory }));
  WebAssembly.Module = Module;
  const room = 1 << 20;
  const place = program._al_scratch(room);
  const length = writeProfile(place, room);
  if (length > room) throw new Error(`The profile has ${length} bytes; there is room for ${room}.`);
  return new Uint8Array(memory.buffer, place, length).slice();
}
