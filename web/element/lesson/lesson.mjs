// A lesson that an author wrote, around a figure: <attention-live src="lesson.json">. Loaded where there is one. The
// program reads it, shows its steps and judges answers (src/app/api/api_lesson.hpp).

import { Sentence } from '../../program/compiled_code.mjs';
import { languageAround } from '../../program/language.mjs';
import { adoptRules } from '../../program/style.mjs';
import { text } from '../../texts/lesson.mjs';
import { text as aroundText } from '../../texts/program.mjs';
import { fetchLesson, fetchNumbers, nameOf } from './lesson_file.mjs';
import { LessonPanel } from './lesson_panel.mjs';
import { rules } from './lesson_styles.mjs';

export class Lesson {
  #root;
  #figure;
  #emit;
  #ask;
  #panel;
  #abort = new AbortController();
  #file; // what it is called in sentences
  #address; // where it is
  #numbers = null; // its files, once they are here
  #written = null; // the lesson's text; null while it is fetched
  #told = null; // what the program says of it
  #fresh = false; // it was given and not shown yet
  #here = -1;
  #verdicts = new Map(); // step -> the last verdict, with attempts
  #opened; // {resolve, reject} of open()

  /**
   * @param {HTMLElement} element that the figure belongs to
   * @param {import('../figure.mjs').Figure} figure
   * @param {(type: string, detail: object) => void} emit
   * @param {(question: (api: object) => unknown) => Promise<unknown>} ask the running program, which is started
   */
  constructor(element, figure, emit, ask) {
    this.#root = element.shadowRoot;
    this.#figure = figure;
    this.#emit = emit;
    this.#ask = ask;
    this.#panel = new LessonPanel({
      go: (step) => this.#go(step),
      again: () => this.#go(this.#here, true),
      answer: (typed) => this.#answer(typed),
    });
    adoptRules(this.#root, rules);
    this.#root.querySelector('.box').append(this.#panel.element);
    element.addEventListener('statechange', () => this.#look(), { signal: this.#abort.signal });
  }

  /** Whether one of its steps has been shown. */
  get shown() {
    return this.#told !== null && !this.#fresh;
  }

  /** Takes it out again. */
  end() {
    this.#abort.abort();
    this.#figure.prepare = null;
    this.#figure.api?.lessonEnd();
    this.#panel.element.remove();
    this.#opened?.reject(new Error('The lesson was taken away.'));
  }

  /** @param {URL} address */
  async fetch(address) {
    try {
      await this.open(await fetchLesson(address, this.#abort.signal), nameOf(address), address);
    } catch (cause) {
      if (this.#abort.signal.aborted) return;
      this.#refuse(this.#said(cause), () => this.fetch(address));
    }
  }

  /** In the figure's language. */
  get #text() {
    return text.in(languageAround(this.#root.host));
  }

  #said(cause) {
    if (cause instanceof Sentence) cause.message = cause.in(languageAround(this.#root.host));
    return cause;
  }

  /**
   * @param {string} written the lesson as JSON
   * @param {string} [file] what it is called in sentences
   * @param {URL | string} [address] where it is, beside which its files are
   * @returns {Promise<object>} what the program says of it, once it runs; rejects with what is wrong
   */
  open(written, file = this.#text('lesson.file.given'), address = document.baseURI) {
    this.#opened?.reject(new Error('Another lesson took its place.'));
    this.#written = written;
    this.#file = file;
    this.#address = address;
    this.#numbers = null;
    this.#fresh = true;
    const opened = new Promise((resolve, reject) => { this.#opened = { resolve, reject }; });
    opened.catch(() => {});
    this.#figure.prepare = (api) => this.#prepare(api);
    if (this.#figure.api) this.#prepare(this.#figure.api);
    return opened;
  }

  /** The program runs, for the first time or once more. @returns whether it shows a step from its beginning */
  #prepare(api) {
    const written = this.#written;
    const waits = [];
    if (/translator/.test(written)) waits.push(api.addTranslator().catch(() => {}));
    const names = this.#numbers ? [] : api.lessonFiles(written);
    if (names.length > 0) {
      waits.push(fetchNumbers(names, this.#address, this.#abort.signal).then((files) => { this.#numbers = files; }));
    }
    if (waits.length === 0) return this.#begin(api);
    const current = () => !this.#abort.signal.aborted && api === this.#figure.api && written === this.#written;
    Promise.all(waits).then(() => { if (current()) this.#begin(api); }, (cause) => { if (current()) this.#opened.reject(this.#said(cause)); });
    return false;
  }

  #begin(api) {
    const told = api.lesson(this.#written, this.#numbers ?? {});
    if (told.wrong) {
      const { line, column, message } = told.wrong;
      const sentence = this.#text('lesson.file.wrong', { file: this.#file, line, column, sentence: message });
      this.#fresh = false;
      this.#opened.reject(Object.assign(new Sentence(sentence), { line, column, sentence: message }));
      return false;
    }
    this.#told = told;
    if (!this.#fresh) { // the figure was stopped meanwhile, and goes on from its state
      api.lessonStep(this.#here, true);
      return false;
    }
    this.#fresh = false;
    this.#verdicts.clear();
    this.#panel.open(told);
    this.#show(Math.min(Math.max(this.#here, 0), told.steps.length - 1), false);
    this.#opened.resolve(told);
    return true;
  }

  #refuse(cause, again) {
    this.#panel.refuse(cause.message, again && { words: aroundText.in(languageAround(this.#root.host))('program.loading.again'), again });
    this.#emit('error', { message: cause.message });
  }

  #go(step, afresh = false) {
    this.#ask(() => this.#show(step, !afresh && step === this.#here + 1)).catch((cause) => this.#refuse(cause));
  }

  /** `goesOn`: from the step before, whose state stays where this one has none. */
  #show(step, goesOn) {
    const { steps, title } = this.#told;
    this.#figure.act((api) => api.lessonStep(step, goesOn && !steps[step].begins));
    const another = step !== this.#here;
    this.#here = step;
    this.#panel.show(step, {
      verdict: this.#verdicts.get(step) ?? null,
      right: [...this.#verdicts.values()].filter(({ right }) => right).length,
      of: steps.filter(({ question }) => question).length,
    });
    if (another) this.#emit('lessonstep', { step, steps: steps.length, title });
  }

  async #answer(typed) {
    try {
      const verdict = await this.#ask((api) => api.lessonAnswer(this.#here, typed));
      this.#judge(verdict, 1);
    } catch (cause) {
      this.#panel.judge({ right: false, said: cause.message, hint: '' });
    }
  }

  #judge(verdict, attempt) {
    const attempts = (this.#verdicts.get(this.#here)?.attempts ?? 0) + attempt;
    this.#verdicts.set(this.#here, { ...verdict, attempts });
    this.#panel.judge(verdict);
    const { right, value, distance } = verdict;
    this.#emit('lessonanswer', { step: this.#here, right, value, distance, attempts });
  }

  /** Something was changed: what it should bring about may be there now. */
  #look() {
    const verdict = this.#verdicts.get(this.#here);
    if (!verdict || verdict.right || this.#told.steps[this.#here].question.kind !== 'reach' || !this.#figure.api) return;
    const now = this.#figure.api.lessonAnswer(this.#here);
    if (now.right) this.#judge(now, 1);
    else this.#panel.judge(now);
  }
}
