// How tests wait for what must come: for as long as it takes on a machine that is busy with other things.

/** Milliseconds after which what is waited for is missing. It keeps a test from hanging; no machine is that slow. */
export const patience = 240_000;

/**
 * Asks until the answer is true, and gives it.
 * @param {() => unknown} question may be a promise's
 * @param {string | (() => string | Promise<string>)} what is said if it never comes
 */
export async function until(question, what = String(question)) {
  for (const end = Date.now() + patience; ;) {
    const answer = await question();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`never: ${typeof what === 'string' ? what : await what()}`);
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
}
