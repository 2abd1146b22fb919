// Records what is drawn on a part of the canvas as a film.

import { save } from './save.mjs';

const types = ['video/webm;codecs=vp9', 'video/webm', 'video/mp4']; // the last one for Safari, which has no other
const stays = 700; // milliseconds for which the last picture is shown

export class Film {
  #canvas;
  #part; // x, y, width, height in pixels of the canvas
  #copy = document.createElement('canvas');
  #chunks = [];
  #recorder;

  /**
   * Begins to record.
   * @param {HTMLCanvasElement} canvas
   * @param {number[]} place x, y, width and height in pixels of the canvas
   */
  constructor(canvas, place) {
    const type = types.find((each) => MediaRecorder.isTypeSupported(each));
    this.#canvas = canvas;
    // Encoders want even sizes.
    this.#part = place.map((length, i) => (i < 2 ? Math.round(length) : 2 * Math.floor(length / 2)));
    [this.#copy.width, this.#copy.height] = this.#part.slice(2);
    this.#copy.getContext('2d', { alpha: false });
    this.#recorder = new MediaRecorder(this.#copy.captureStream(), { mimeType: type, videoBitsPerSecond: 8_000_000 });
    this.#recorder.addEventListener('dataavailable', ({ data }) => this.#chunks.push(data));
    this.#recorder.start();
  }

  /** Takes in what has just been drawn; browsers discard it after showing it. */
  add() {
    const [x, y, width, height] = this.#part;
    this.#copy.getContext('2d').drawImage(this.#canvas, x, y, width, height, 0, 0, width, height);
  }

  /** Saves the film, whose last picture stays for a moment. */
  async end(name) {
    const still = document.createElement('canvas');
    [still.width, still.height] = this.#part.slice(2);
    still.getContext('2d').drawImage(this.#copy, 0, 0);
    // A film is as long as there are pictures.
    const end = performance.now() + stays;
    while (performance.now() < end) {
      await new Promise((resolve) => { setTimeout(resolve, 50); });
      this.#copy.getContext('2d').drawImage(still, 0, 0);
    }
    await new Promise((resolve) => {
      this.#recorder.addEventListener('stop', resolve, { once: true });
      this.#recorder.stop();
    });
    const type = this.#recorder.mimeType;
    save(type.startsWith('video/mp4') ? name.replace(/webm$/, 'mp4') : name, new Blob(this.#chunks, { type }));
  }
}
