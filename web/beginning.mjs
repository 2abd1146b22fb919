// What the start page shows first, and whether this browser has seen it before.

/**
 * What an address without a link opens: eight words of six numbers, all 0, 0.9 or 1, in which “she” takes from the three
 * female words and, in the other head, from the singular ones. Links that name no example mean another one, as ever.
 */
export const beginning = '#v=1&example=gender-and-number&step=sentence';

const key = 'attention-live-visited';

/** True on the first visit of a browser; never in a frame or where nothing can be stored. */
export function isFirstVisit() {
  if (window.top !== window) return false;
  try {
    if (localStorage.getItem(key) !== null) return false;
    localStorage.setItem(key, 'yes');
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
