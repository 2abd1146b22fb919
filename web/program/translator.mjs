// The weights of the example `translator`, which are loaded when it is asked for: they are larger than the program.

import { Sentence } from './compiled_code.mjs';
import { weightsAddress } from './files.mjs';
import { text } from '../texts/program.mjs';

/** Whether a link, or a part of a state, opens the translator. */
export const asksForTranslator = (change) => (
  typeof change === 'string' ? /(^|[#&])example=translator(&|$)/.test(change) : change.example === 'translator');

/** @param {(share: number) => void} onProgress how much has come, 0 to 1, where the server says how much there is */
async function read(response, onProgress) {
  // The length of a compressed download is not the number of bytes that are read.
  const total = response.headers.get('Content-Encoding') ? 0 : Number(response.headers.get('Content-Length'));
  const chunks = [];
  let received = 0;
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    chunks.push(value);
    received += value.byteLength;
    if (total) onProgress(Math.min(received / total, 1));
  }
}

async function load(program, onProgress) {
  const address = weightsAddress();
  if (!address) throw new Sentence(text.later('program.translator.missing'));
  let response;
  let weights;
  try {
    response = await fetch(address);
    weights = response.ok && await read(response, onProgress);
  } catch {
    throw new Sentence(text.later('program.translator.connection'));
  }
  if (!weights) {
    throw new Sentence(text.later('program.translator.status', { status: response.status, file: address.pathname }));
  }
  program.useTranslator(weights);
}

const coming = new WeakMap(); // program → what loads its weights, and who is told how far that is

/**
 * Loads the weights, and makes `translator` one of the program's examples, unless it is one. They are loaded once,
 * however many ask for them meanwhile.
 * @param {import('./program.mjs').Program} program
 * @param {(share: number) => void} [onProgress] as for read
 * @returns {Promise<void>} that rejects with a Sentence where they cannot be loaded or used
 */
export async function addTranslator(program, onProgress) {
  if (program.hasTranslator) return;
  if (!coming.has(program)) {
    const told = [];
    const loaded = load(program, (share) => told.forEach((tell) => tell(share))).finally(() => coming.delete(program));
    coming.set(program, { loaded, told });
  }
  const { loaded, told } = coming.get(program);
  if (onProgress) told.push(onProgress);
  await loaded;
}

/** The same, told to the reader, who chose it; then it is shown. */
export async function showTranslator(program, instance) {
  const runs = () => instance.program === program;
  let told = -1;
  const tell = (share) => {
    const tenth = Math.floor(share * 10);
    if (tenth === told || !runs()) return;
    told = tenth;
    program.notify(text.in(program.language)('program.translator.loading', { percent: tenth * 10 }));
  };
  await null; // the program is in the middle of a frame
  tell(0);
  try {
    await addTranslator(program, tell);
    if (!runs()) return;
    program.notify(''); // it has come
    program.call('choose_example', { example: 'translator' });
  } catch (cause) {
    if (!(cause instanceof Sentence)) throw cause;
    if (runs()) program.refuse(cause.in(program.language));
  }
}
