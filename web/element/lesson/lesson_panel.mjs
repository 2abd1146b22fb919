// What a lesson looks like beside its figure: the step's text, its question, the way back and forth. All of a lesson's
// words are put in as text, never as HTML.

function make(tag, fields = {}, children = []) {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
}

const filled = (words, values) => words.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));

/** Paragraphs are divided by empty lines. */
const paragraphs = (text) => text.split(/\n\s*\n/).map((part) => make('p', { textContent: part.trim() }));

export class LessonPanel {
  element = make('section', { className: 'lesson' });
  #lesson;
  #told; // {go(step), again(), answer(typed)}
  #title = make('h2');
  #progress = make('span', { className: 'progress' });
  #step = make('div', { className: 'step', ariaLive: 'polite' });
  #question = make('form', { className: 'question', noValidate: true });
  #field = make('input', { type: 'text', inputMode: 'decimal', autocomplete: 'off', spellcheck: false });
  #check = make('button', { type: 'submit', className: 'check' });
  #said = make('output');
  #back = make('button', { type: 'button', onclick: () => this.#told.go(this.#here - 1) });
  #again = make('button', { type: 'button', className: 'again', onclick: () => this.#told.again() });
  #next = make('button', { type: 'button', className: 'next', onclick: () => this.#told.go(this.#here + 1) });
  #here = 0;

  constructor(told) {
    this.#told = told;
    this.element.part = 'lesson';
    for (const button of [this.#check, this.#back, this.#again, this.#next]) button.part = 'button';
    this.#field.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.isComposing || !this.#field.value) return;
      event.preventDefault(); // nor does it close a dialog around
      this.#field.value = '';
    });
    this.#question.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#told.answer(this.#kind === 'number' ? this.#field.value : undefined);
    });
  }

  get #kind() {
    return this.#lesson.steps[this.#here].question?.kind;
  }

  /** Puts other content in; a button that had the focus hands it on to `next`. */
  #replace(content, next) {
    const focused = this.element.contains(this.element.getRootNode().activeElement);
    this.element.replaceChildren(...content);
    if (focused) next?.focus();
  }

  /**
   * A sentence instead of a lesson.
   * @param {{words: string, again: () => void}} [offer] a button that tries once more
   */
  refuse(sentence, offer) {
    const content = [make('p', { className: 'wrong', role: 'alert', textContent: sentence })];
    if (offer) {
      const button = make('button', { type: 'button', textContent: offer.words, part: 'button try-again' });
      button.addEventListener('click', offer.again, { once: true }); // until that is answered
      content.push(button);
    }
    this.#replace(content, content[1]);
  }

  /** @param {object} lesson as the API describes it */
  open(lesson) {
    const { title, language, words } = lesson;
    this.#lesson = lesson;
    this.element.setAttribute('aria-label', filled(words.lesson, { title }));
    this.#title.textContent = title;
    for (const element of [this.#title, this.#step]) Object.assign(element, { lang: language, dir: 'auto' });
    this.#back.textContent = words.back;
    this.#next.textContent = words.next;
    this.#again.textContent = words.again;
    this.#field.setAttribute('aria-label', words.answer);
    this.#replace([
      make('header', {}, [this.#title, this.#progress]), this.#step, this.#question,
      this.#again, make('nav', {}, [this.#back, this.#next]),
    ], this.#next);
  }

  /** @param {{verdict: object | null, right: number, of: number}} results the last one in this step, and how many are right */
  show(here, { verdict, right, of }) {
    const { steps, words } = this.#lesson;
    const { text, question } = steps[here];
    this.#here = here;
    this.#progress.textContent = filled(words.progress, { step: here + 1, count: steps.length });
    this.#step.replaceChildren(...paragraphs(text));
    this.#question.hidden = !question;
    this.#field.value = '';
    if (question) {
      const asked = make('p', { textContent: question.text, lang: this.#lesson.language, dir: 'auto' });
      this.#check.textContent = question.kind === 'cell' ? words.chosen : words.check;
      const way = make('div', { className: 'way' }, [...(question.kind === 'number' ? [this.#field] : []), this.#check]);
      this.#question.replaceChildren(asked, way, this.#said);
    }
    this.judge(verdict);
    const last = here === steps.length - 1;
    if (last && of > 0) this.#step.append(make('p', { className: 'end', textContent: filled(words.end, { right, count: of }) }));
    const focused = this.element.getRootNode().activeElement;
    this.#back.disabled = here === 0;
    this.#next.disabled = last;
    // A button that is disabled loses the focus: the other one takes it.
    if (focused === this.#back && this.#back.disabled) this.#next.focus();
    if (focused === this.#next && last) this.#back.focus();
  }

  /** Shows what is said to an answer; null: nothing yet. */
  judge(verdict) {
    const hint = verdict && !verdict.right && verdict.hint ? filled(this.#lesson.words.hint, verdict) : '';
    const sentences = verdict ? [verdict.said, hint].filter(Boolean) : [];
    if (sentences.join() === [...this.#said.children].map((each) => each.textContent).join()) return;
    this.#said.replaceChildren(...sentences.map((textContent) => make('span', { textContent })));
    this.#question.dataset.verdict = verdict ? (verdict.right ? 'right' : 'wrong') : '';
  }
}
