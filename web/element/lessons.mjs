// The lesson of an element, if it has one: of its attribute `src`, or given by a script. What a lesson needs is loaded
// with the first.

import { Sentence } from '../program/compiled_code.mjs';
import { languageAround } from '../program/language.mjs';
import { offerAgain, part } from '../program/loading/part.mjs';
import { adoptStyle } from '../program/style.mjs';

export class Lessons {
  #element;
  #needs;
  #lesson = null;
  #made = null; // promise of it

  /** @param {{figure: () => object, emit: (type: string, detail: object) => void, ask: (question: (api: object) => unknown) => Promise<unknown>}} needs */
  constructor(element, needs) {
    this.#element = element;
    this.#needs = needs;
  }

  #make() {
    const made = part(() => import('./lesson/lesson.mjs')).then(({ Lesson }) => {
      if (this.#made !== made) throw new Error('Another lesson took its place.');
      this.#lesson = new Lesson(this.#element, this.#needs.figure(), this.#needs.emit, this.#needs.ask);
      return this.#lesson;
    });
    this.#made = made;
    made.catch(() => { if (this.#made === made) this.#made = null; }); // the next one tries again
    return made;
  }

  /** The element is in a page, perhaps again. */
  resume() {
    if (!this.#lesson) this.take();
  }

  /** The element is out of the page. A lesson that was shown goes on where it comes back. */
  leave() {
    if (!this.#lesson?.shown) this.end();
  }

  /** Follows the attribute. */
  take() {
    this.end();
    const source = this.#element.getAttribute('src');
    if (source === null) return;
    if (!URL.canParse(source, document.baseURI)) {
      this.#needs.emit('error', { message: 'src must be the address of a lesson.' });
      return;
    }
    const made = this.#make();
    made.then((lesson) => lesson.fetch(new URL(source, document.baseURI)), (cause) => {
      if (!(cause instanceof Sentence) || this.#element.getAttribute('src') !== source) return;
      const root = this.#element.shadowRoot;
      adoptStyle(root);
      offerAgain(root.querySelector('.figure'), cause, () => this.take(), languageAround(this.#element));
      this.#needs.emit('error', { message: cause.in(languageAround(this.#element)) });
    });
  }

  /** @param {string | object} lesson as JSON, or what that says; it takes the place of the one that is open */
  async open(lesson) {
    const open = await (this.#made ?? this.#make());
    return open.open(typeof lesson === 'string' ? lesson : JSON.stringify(lesson));
  }

  end() {
    this.#lesson?.end();
    this.#element.shadowRoot.querySelector('.figure > .attention-live-missing')?.remove();
    this.#lesson = null;
    this.#made = null;
  }
}
