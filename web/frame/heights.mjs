// The height of a frame in the forms that the scripts of other pages read: iframe-resizer, versions 3 to 5, which many
// sites have, and the frames of course systems (LTI). Both are written anew from what those scripts read.

const mark = '[iFrameSizer]'; // begins each message of iframe-resizer, in both directions
const longestId = 100;

/** Tells each page around that this frame can be resized; a page with iframe-resizer then begins. */
export const resizable = '[iFrameResizerChild]Ready';

/**
 * What the page around says in that form.
 * @param {unknown} data of a MessageEvent
 * @returns {{id: string | null, type: string} | null} id: of the frame, where the page begins; type: of the answer. null
 *   for other messages, and for those that need none
 */
export function readResizer(data) {
  if (typeof data !== 'string' || !data.startsWith(mark)) return null;
  const [id, , flag] = data.slice(mark.length).split(':', 3);
  // The page begins with the id and a list of options, the second of which is true or false.
  if (/^(true|false)$/.test(flag ?? '')) return id.length > longestId ? null : { id, type: 'init' };
  return id === 'resize' || id === 'reset' ? { id: null, type: id } : null;
}

/** The answer, and what is told when the height changes: type "resize". In CSS pixels. */
export const writtenForResizer = (id, height, width, type) => `${mark}${id}:${height}:${width}:${type}`;

/** What course systems read. */
export const writtenForCourse = (height) => ({ subject: 'lti.frameResize', height });
