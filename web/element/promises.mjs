// What an element has promised: that it becomes ready, and calls that wait until it runs.

export class Promises {
  #calls = new Set(); // {drawn, resolve, reject}, drawn: until its first frame
  #ready;

  constructor() {
    this.renew();
  }

  /** Kept when the first frame is drawn; rejected with the reason if it cannot run. */
  get ready() {
    return this.#ready.promise;
  }

  /** Promises that anew; where it failed and was tried again. */
  renew() {
    const ready = { failed: false };
    ready.promise = new Promise((resolve, reject) => Object.assign(ready, { resolve, reject }));
    ready.promise.catch(() => {}); // told by the event `error` as well
    this.#ready = ready;
  }

  get failed() {
    return this.#ready.failed;
  }

  keep(element) {
    this.#ready.resolve(element);
  }

  fail(cause) {
    this.#ready.failed = true;
    this.#ready.reject(cause);
  }

  /** Whether there are calls that wait. */
  get some() {
    return this.#calls.size > 0;
  }

  /** A promise that it runs; `drawn`: that its first frame is there too. Rejects with the reason if it cannot. */
  untilRuns(drawn) {
    return new Promise((resolve, reject) => this.#calls.add({ drawn, resolve, reject }));
  }

  /**
   * Answers the calls that wait.
   * @param {Error | string | null} refusal why they wait in vain; null if it runs
   * @param {(call: object) => boolean} which of them
   */
  settle(refusal = null, which = () => true) {
    const cause = typeof refusal === 'string' ? new Error(refusal) : refusal;
    for (const call of [...this.#calls].filter(which)) {
      this.#calls.delete(call);
      if (cause) call.reject(cause);
      else call.resolve();
    }
  }
}
