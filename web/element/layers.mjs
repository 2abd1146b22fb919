// What lies over one another in the shadow root of an element, and the names of its parts for style sheets.

function box(className, ...children) {
  const element = document.createElement('div');
  element.className = className;
  element.append(...children);
  return element;
}

/**
 * @param {Element} still what is shown while the program does not run
 * @param {Element} container of the program
 * @param {Element} start the button
 * @param {Element} full the button for the whole screen
 */
export function layersOf(still, container, start, full) {
  container.className = 'program';
  for (const [element, part] of [
    [container, 'frame'], [still, 'caption'], [start, 'button start'], [full, 'button full-screen'],
  ]) element.part = part;
  return box('box', box('figure', box('size'), still, container, start, box('corner', full)));
}
