// What scrolls around an element, and inside of one. Asked of the flattened tree: what stands in a slot of another element is
// scrolled by the boxes around that slot.

/** The element around it as it is laid out; null around the outermost. */
export const around = (element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null;

const mayScroll = (overflow) => /auto|scroll|overlay/.test(overflow);

/** Whether a box is larger inside than outside, along an axis along which it scrolls. */
function scrolls(box) {
  const { overflowX, overflowY } = getComputedStyle(box);
  // In quirks mode the client size of the body is that of the window.
  const quirky = box === document.body && document.compatMode === 'BackCompat';
  const [width, height] = quirky ? [box.offsetWidth, box.offsetHeight] : [box.clientWidth, box.clientHeight];
  return (mayScroll(overflowY) && box.scrollHeight > height) || (mayScroll(overflowX) && box.scrollWidth > width);
}

/**
 * Whether a custom element shows less of what stands in it than there is, and is itself nothing that overflows: a box in its
 * closed shadow root, which nobody can ask, scrolls it.
 */
function clipsUnseen(host) {
  if (!host?.localName.includes('-') || host.shadowRoot) return false;
  const inside = new Range();
  inside.selectNodeContents(host);
  const [all, shown] = [inside, host].map((each) => each.getBoundingClientRect());
  return (host.scrollHeight === host.clientHeight && host.clientHeight > 0 && all.height > shown.height + 1) ||
    (host.scrollWidth === host.clientWidth && host.clientWidth > 0 && all.width > shown.width + 1);
}

/** The element whose `overflow` is that of the window: CSS Overflow 3, 3.3. */
function ofWindow() {
  const { documentElement: root, body } = document;
  const { overflowX, overflowY } = getComputedStyle(root);
  return body && overflowX === 'visible' && overflowY === 'visible' ? body : root;
}

function windowScrolls() {
  const { overflowX, overflowY } = getComputedStyle(ofWindow());
  const root = document.documentElement;
  // There is none in quirks mode where the body is a box of its own that scrolls.
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.scrollingElement ?? {
    scrollWidth: root.offsetWidth, scrollHeight: root.offsetHeight, clientWidth: innerWidth, clientHeight: innerHeight,
  };
  const still = /hidden|clip/;
  return (scrollHeight > clientHeight && !still.test(overflowY)) || (scrollWidth > clientWidth && !still.test(overflowX));
}

/** True if the wheel or a finger over this element would scroll the page or a part of it. */
export function pageScrolls(element) {
  const skipped = [document.documentElement, ofWindow()];
  for (let box = element; box; box = around(box)) {
    if (box !== element && !skipped.includes(box) && scrolls(box)) return true;
    if (box.matches(':fullscreen')) return false; // nothing is around it
    if (!box.assignedSlot && clipsUnseen(box.parentElement)) return true;
  }
  // A frame cannot know whether the page around it scrolls, so assume that it does.
  return window.parent !== window || windowScrolls();
}

/** Whether something between an event's target and `root` has more to show to the right for dx > 0, below for dy > 0. */
export function scrollsInside(event, root, dx, dy) {
  const room = (by, at, size, all) => (by > 0 ? at + size + 1 < all : by < 0 && at > 0);
  const path = event.composedPath();
  return path.slice(0, path.indexOf(root)).some((box) => {
    if (!(box instanceof Element)) return false;
    const { overflowX, overflowY } = getComputedStyle(box);
    return (mayScroll(overflowX) && room(dx, box.scrollLeft, box.clientWidth, box.scrollWidth)) ||
      (mayScroll(overflowY) && room(dy, box.scrollTop, box.clientHeight, box.scrollHeight));
  });
}
