// The element's own buttons: to start it where it waits for that, and for the whole screen.

import { text } from '../texts/element.mjs';

const namespace = 'http://www.w3.org/2000/svg';

function name(element, label) {
  element.setAttribute('aria-label', label);
  element.title = label;
}

function button(className, path) {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = className;
  element.hidden = true;
  const picture = document.createElementNS(namespace, 'svg');
  picture.setAttribute('viewBox', '0 0 20 20');
  picture.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(namespace, 'path');
  line.setAttribute('d', path);
  picture.append(line);
  element.append(picture);
  return element;
}

export function startButton(start) {
  const element = button('go', 'M6 3.5 L16 10 L6 16.5 Z');
  element.addEventListener('click', start);
  return {
    element,
    update(hidden, language) {
      element.hidden = hidden;
      name(element, text.in(language)('element.start.label'));
    },
  };
}

const corners = 'M3 8V3h5 M12 3h5v5 M17 12v5h-5 M8 17H3v-5';
const inward = 'M8 3v5H3 M17 8h-5V3 M12 17v-5h5 M3 12h5v5';

/** @param {HTMLElement} host that fills the screen */
export function fullScreenButton(host) {
  const element = button('full', corners);
  // Not the document's fullscreenElement, which names the outermost host where this one stands in another's shadow root.
  const isThere = () => host.matches(':fullscreen');
  element.addEventListener('click', () => {
    const there = isThere();
    (there ? document.exitFullscreen() : host.requestFullscreen()).catch(() => { element.hidden = true; });
  });
  return {
    element,
    /** After the screen changed, or the program started or stopped. */
    update(running, language) {
      const there = isThere();
      // A frame that its page does not allow it, and a phone that has none, say so.
      element.hidden = !running || !document.fullscreenEnabled;
      element.querySelector('path').setAttribute('d', there ? inward : corners);
      name(element, text.in(language)(there ? 'element.screen.leave' : 'element.screen.full'));
    },
  };
}
