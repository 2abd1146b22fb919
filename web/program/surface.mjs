// The canvas as something to draw on: its size in device pixels, when a frame is drawn, and a GL context that the
// browser may take away and give back.

/** What attention-live asks of its context: opaque, no depth, and edges smoothed by its own shaders. */
const contextAttributes = {
  alpha: false,
  antialias: false,
  depth: false,
  stencil: false,
  premultipliedAlpha: true,
  preserveDrawingBuffer: false,
};

/**
 * A length in device pixels. What the browser says it is knows to which side it was rounded; only where it is far
 * from the pixel ratio (Chromium, while a tool pretends another ratio) it is not believed.
 */
function devicePixels(said, cssLength) {
  const computed = cssLength * devicePixelRatio;
  return said && Math.abs(said - computed) < 2 ? said : Math.round(computed);
}

export class Surface {
  #canvas;
  #gl = null;
  #program = null;
  #request = 0;
  #wanted = false;
  #observer = null;
  #ratioQuery = null;
  #size = { width: 0, height: 0, ratio: 0 };
  #waiting = [];
  #drawn;

  /** `drawn` is called after every frame. */
  constructor(canvas, drawn = () => {}) {
    this.#canvas = canvas;
    this.#drawn = drawn;
  }

  /**
   * Makes the context and draws the first frame; from here on the canvas is kept at its container's size.
   * @returns {boolean} false where the browser gives no WebGL2
   */
  connect(program) {
    const { clientWidth, clientHeight } = this.#canvas;
    const [width, height] = [devicePixels(null, clientWidth), devicePixels(null, clientHeight)];
    // Before there is a context: it is then made once, for this size.
    this.#setSize(width, height);
    if (width > 0 && height > 0) program.prepare(width, height, devicePixelRatio);
    this.#gl = this.#canvas.getContext('webgl2', contextAttributes);
    if (!this.#gl || !program.openWindow(this.#canvas.width, this.#canvas.height)) return false;
    this.#program = program;
    // GLFW gave the canvas its window's size.
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
    this.#resize(width, height, clientWidth);
    return true;
  }

  disconnect() {
    this.#canvas.removeEventListener('webglcontextlost', this.#lost);
    this.#canvas.removeEventListener('webglcontextrestored', this.#restored);
    this.#observer?.disconnect();
    this.#ratioQuery?.removeEventListener('change', this.#ratioChanged);
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    this.#program = null;
    this.#settle();
  }

  /** Draws a frame with the browser's next one. Called by the program as often as it likes. */
  requestFrame() {
    this.#wanted = true;
    if (this.#request === 0 && this.#program) this.#request = requestAnimationFrame(this.#frame);
  }

  /** Gives the context back to the browser, which has few of them. The canvas is of no more use then. */
  release() {
    this.#gl?.getExtension('WEBGL_lose_context')?.loseContext();
  }

  /** A canvas with what is drawn now, in CSS pixels, or null where nothing can be. */
  picture() {
    const { width, height, ratio } = this.#size;
    if (!this.#program || width === 0 || this.#gl.isContextLost()) return null;
    this.#program.drawAgain(); // what was drawn is gone once the browser has shown it
    const copy = document.createElement('canvas');
    copy.width = Math.max(1, Math.round(width / ratio));
    copy.height = Math.max(1, Math.round(height / ratio));
    const context = copy.getContext('2d', { alpha: false });
    context.imageSmoothingQuality = 'high';
    context.drawImage(this.#canvas, 0, 0, copy.width, copy.height);
    return copy;
  }

  /** Resolves when nothing waits to be drawn. */
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
    }
  };

  #watchRatio() {
    this.#ratioQuery?.removeEventListener('change', this.#ratioChanged);
    this.#ratioQuery = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    this.#ratioQuery.addEventListener('change', this.#ratioChanged);
  }

  // The observer tells of it as well, but only where it can watch device pixels.
  #ratioChanged = () => {
    this.#watchRatio();
    const { clientWidth, clientHeight } = this.#canvas;
    this.#resize(devicePixels(null, clientWidth), devicePixels(null, clientHeight), clientWidth);
  };

  #resized(entry) {
    const device = entry.devicePixelContentBoxSize?.[0];
    const { width, height } = entry.contentRect;
    this.#resize(devicePixels(device?.inlineSize, width), devicePixels(device?.blockSize, height), width);
  }

  #resize(width, height, cssWidth) {
    if (width === 0 || height === 0) return; // not shown at present
    const { width: oldWidth, height: oldHeight, ratio: oldRatio } = this.#size;
    if (width === oldWidth && height === oldHeight && devicePixelRatio === oldRatio) return;
    this.#size = { width, height, ratio: devicePixelRatio };
    this.#setSize(width, height);
    // A browser may give less than it was asked for where the canvas is larger than the GPU allows.
    const given = this.#gl.drawingBufferWidth;
    const ratio = given === width || given === 0 ? devicePixelRatio : given / cssWidth;
    const drawn = given === 0 ? [width, height] : [given, this.#gl.drawingBufferHeight];
    this.#program.surface(...drawn, ratio);
    this.#drawn();
  }

  /** Being told its size, even the one that it has, empties a canvas and makes its buffers anew. */
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
  };

  #restored = () => this.#program.contextRestored();
}
