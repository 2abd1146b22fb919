// The canvas as a drawing surface: its size in device pixels, animation frames, and its GL context, which may be lost and
// restored.

import { scaleOf, watchTransforms } from './zoom.mjs';

/** The attributes of the GL context: opaque, no depth; shaders do the antialiasing. */
const contextAttributes = {
  alpha: false,
  antialias: false,
  depth: false,
  stencil: false,
  premultipliedAlpha: true,
  preserveDrawingBuffer: false,
};

const quiet = 1000; // milliseconds without a frame after which the picture is kept
const sharp = 2; // device pixels for one CSS pixel, on paper
const patience = 2000; // milliseconds in which a lost context may come back, as it does when a driver begins anew

/**
 * A length in device pixels. The browser's own value is used, which is rounded as the browser draws, unless it is far
 * from what the pixel ratio gives (in Chromium, while developer tools emulate another ratio).
 */
function devicePixels(said, cssLength, ratio) {
  const computed = cssLength * ratio;
  return said && Math.abs(said - computed) < 2 ? said : Math.round(computed);
}

export class Surface {
  #canvas;
  #gl = null;
  #program = null;
  #request = 0;
  #wanted = false;
  #held = true; // after the first frame there is no other before `go`
  #observer = null;
  #ratioQuery = null;
  #abort = new AbortController();
  #size = { width: 0, height: 0, ratio: 0 };
  #waiting = [];
  #drawn;
  #gone;
  #keeps;
  #kept = null; // the last picture
  #timer = 0;
  #wake = 0;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {() => void} drawn called after every frame
   * @param {() => void} gone called when the context is lost and does not come back
   * @param {boolean} keeps whether there is a picture even then; costs one more frame after the last one
   */
  constructor(canvas, { drawn = () => {}, gone = () => {}, keeps = false } = {}) {
    this.#canvas = canvas;
    this.#drawn = drawn;
    this.#gone = gone;
    this.#keeps = keeps;
  }

  /**
   * Creates the context and draws the first frame. The canvas follows its container's size from then on; other frames
   * come after `go`.
   * @returns {boolean} false if WebGL2 is not available
   */
  connect(program) {
    const [width, height, cssWidth] = this.#computed();
    // Before the context is created, which then has this size from the beginning.
    this.#setSize(width, height);
    if (width > 0 && height > 0) program.prepare(width, height, this.#ratio);
    this.#gl = this.#canvas.getContext('webgl2', contextAttributes);
    if (!this.#gl || !program.openWindow(this.#canvas.width, this.#canvas.height)) return false;
    this.#program = program;
    // GLFW set the canvas to the size of its window.
    this.#canvas.style.removeProperty('width');
    this.#canvas.style.removeProperty('height');
    this.#canvas.addEventListener('webglcontextlost', this.#lost);
    this.#canvas.addEventListener('webglcontextrestored', this.#restored);
    this.#observer = new ResizeObserver((entries) => this.#resized(entries.at(-1)));
    try {
      this.#observer.observe(this.#canvas, { box: 'device-pixel-content-box' });
    } catch {
      this.#observer.observe(this.#canvas); // Safari
    }
    this.#watchRatio();
    watchTransforms(this.#canvas, () => this.#resize(...this.#computed()), this.#abort.signal);
    this.#resize(width, height, cssWidth);
    return true;
  }

  /** From now on frames are drawn when they are requested, and those that were. */
  go() {
    this.#held = false;
    if (this.#wanted) this.requestFrame();
  }

  disconnect() {
    this.#canvas.removeEventListener('webglcontextlost', this.#lost);
    this.#canvas.removeEventListener('webglcontextrestored', this.#restored);
    this.#observer?.disconnect();
    this.#abort.abort();
    this.#ratioQuery?.removeEventListener('change', this.#ratioChanged);
    cancelAnimationFrame(this.#request);
    clearTimeout(this.#timer);
    clearTimeout(this.#wake);
    this.#request = 0;
    this.#program = null;
    this.#settle();
  }

  /** Requests an animation frame, one however often it is called. */
  requestFrame() {
    this.#wanted = true;
    if (this.#request === 0 && this.#program && !this.#held) this.#request = requestAnimationFrame(this.#frame);
  }

  /** Requests one after so many seconds, instead of at the time that an earlier call named. */
  requestFrameIn(seconds) {
    clearTimeout(this.#wake);
    this.#wake = setTimeout(() => this.#program?.wake(), seconds * 1000);
  }

  /** Releases the context, of which browsers have few. The canvas cannot be used after that. */
  release() {
    this.#gl?.getExtension('WEBGL_lose_context')?.loseContext();
  }

  /** A copy of what is drawn now as a canvas in CSS pixels. If nothing can be drawn, the one that was kept, or null. */
  picture() {
    const { width, height, ratio } = this.#size;
    if (!this.#program || width === 0 || this.#gl.isContextLost()) return this.#kept;
    this.#program.drawAgain(); // what was drawn is gone once the browser has shown it
    const copy = document.createElement('canvas');
    copy.width = Math.max(1, Math.round(width / ratio));
    copy.height = Math.max(1, Math.round(height / ratio));
    const context = copy.getContext('2d', { alpha: false });
    context.imageSmoothingQuality = 'high';
    context.drawImage(this.#canvas, 0, 0, copy.width, copy.height);
    return copy;
  }

  /** The same for paper, on which there are more dots than on a screen: twice as many. */
  paper() {
    const { width, height, ratio } = this.#size;
    const finer = Math.max(1, sharp / ratio);
    if (!this.#program || width === 0 || finer === 1 || this.#gl.isContextLost()) return this.picture();
    const [wide, high] = [Math.round(width * finer), Math.round(height * finer)];
    this.#setSize(wide, high);
    if (this.#gl.drawingBufferWidth === wide) this.#program.surface(wide, high, ratio * finer);
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [this.#canvas.width, this.#canvas.height];
    copy.getContext('2d', { alpha: false }).drawImage(this.#canvas, 0, 0);
    this.#setSize(width, height);
    this.#program.surface(this.#gl.drawingBufferWidth, this.#gl.drawingBufferHeight, ratio);
    return copy;
  }

  /** Resolves when no frame is requested. */
  settled() {
    if (this.#request === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #settle() {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #frame = () => {
    this.#request = 0;
    this.#wanted = false;
    const more = this.#program.animationFrame();
    this.#drawn();
    if (!this.#program) return; // it broke
    if (more || this.#wanted) {
      this.requestFrame();
    } else {
      this.#settle();
      clearTimeout(this.#timer);
      // Browsers have few contexts, and the page around may use many: it can be taken away at any time.
      if (this.#keeps) this.#timer = setTimeout(() => { this.#kept = this.picture(); }, quiet);
    }
  };

  /** Device pixels for one CSS pixel of the canvas. */
  get #ratio() {
    return devicePixelRatio * scaleOf(this.#canvas);
  }

  /** The size of the canvas in device pixels, as far as CSS tells it, and its width in CSS pixels. */
  #computed() {
    const { clientWidth, clientHeight } = this.#canvas;
    return [Math.round(clientWidth * this.#ratio), Math.round(clientHeight * this.#ratio), clientWidth];
  }

  #watchRatio() {
    this.#ratioQuery?.removeEventListener('change', this.#ratioChanged);
    this.#ratioQuery = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    this.#ratioQuery.addEventListener('change', this.#ratioChanged);
  }

  // Where the observer cannot watch device pixels, it does not report a new pixel ratio.
  #ratioChanged = () => {
    this.#watchRatio();
    this.#resize(...this.#computed());
  };

  #resized(entry) {
    const device = entry.devicePixelContentBoxSize?.[0];
    const { width, height } = entry.contentRect;
    const ratio = this.#ratio;
    this.#resize(
      devicePixels(device?.inlineSize, width, ratio), devicePixels(device?.blockSize, height, ratio), width,
    );
  }

  #resize(width, height, cssWidth) {
    if (width === 0 || height === 0) return; // not shown at present
    const { width: oldWidth, height: oldHeight, ratio: oldRatio } = this.#size;
    const wanted = this.#ratio;
    if (width === oldWidth && height === oldHeight && wanted === oldRatio) return;
    this.#size = { width, height, ratio: wanted };
    this.#setSize(width, height);
    // The drawing buffer may be smaller than requested if the GPU does not allow this size.
    const given = this.#gl.drawingBufferWidth;
    const ratio = given === width || given === 0 ? wanted : given / cssWidth;
    const drawn = given === 0 ? [width, height] : [given, this.#gl.drawingBufferHeight];
    this.#program.surface(...drawn, ratio);
    this.#drawn();
  }

  /** Sets the size only if it changes, because setting it empties a canvas and reallocates its buffers. */
  #setSize(width, height) {
    if (width === 0 || height === 0) return; // not shown at present
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
  }

  #lost = (event) => {
    event.preventDefault(); // or it would never be restored
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    this.#program.contextLost();
    this.#settle(); // nothing is drawn for now
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#gone, patience);
  };

  #restored = () => {
    clearTimeout(this.#timer);
    this.#program.contextRestored();
  };
}
