// The lesson of an element, if it has one: of its attribute `src`, or given by a script. What a lesson needs is loaded
// with the first.

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
    const made = import('./lesson/lesson.mjs').then(({ Lesson }) => {
      if (this.#made !== made) throw new Error('Another lesson took its place.');
      this.#lesson = new Lesson(this.#element, this.#needs.figure(), this.#needs.emit, this.#needs.ask);
      return this.#lesson;
    });
    this.#made = made;
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
    this.#make().then((lesson) => lesson.fetch(new URL(source, document.baseURI)), () => {});
  }

  /** @param {string | object} lesson as JSON, or what that says; it takes the place of the one that is open */
  async open(lesson) {
    const open = await (this.#made ?? this.#make());
    return open.open(typeof lesson === 'string' ? lesson : JSON.stringify(lesson));
  }

  end() {
    this.#lesson?.end();
    this.#lesson = null;
    this.#made = null;
  }
}
