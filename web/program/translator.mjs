// The weights of the example `translator`, which are loaded when it is asked for: they are larger than the program.

import { Sentence } from './compiled_code.mjs';
import { weightsAddress } from './files.mjs';

/** Whether a link opens the translator. */
export const asksForTranslator = (link) => /(^|[#&])example=translator(&|$)/.test(link);

/**
 * Loads the weights, and makes `translator` one of the program's examples.
 * @param {import('./program.mjs').Program} program
 * @throws {Sentence} where they cannot be loaded or used
 */
export async function addTranslator(program) {
  const address = weightsAddress();
  if (!address) throw new Sentence('The translator is not included in this copy of attention-live.');
  let response;
  let weights;
  try {
    response = await fetch(address);
    weights = response.ok && new Uint8Array(await response.arrayBuffer());
  } catch {
    throw new Sentence('The translator could not be downloaded: the connection failed.');
  }
  if (!weights) {
    throw new Sentence(`The translator could not be downloaded: the server answered ${response.status} for ${address.pathname}.`);
  }
  program.useTranslator(weights);
}
