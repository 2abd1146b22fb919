// On paper: a canvas has nothing to print once its frame has been shown, so a picture of it takes its place.

/**
 * @param {HTMLElement} container of the canvas
 * @param {() => HTMLCanvasElement | null} picture what is drawn now; null if nothing can be
 * @param {AbortSignal} signal ends it
 */
export function connectPaper(container, picture, signal) {
  let shown = null;
  const clear = () => {
    shown?.remove();
    shown = null;
  };
  window.addEventListener('beforeprint', () => {
    clear();
    shown = picture();
    if (!shown) return;
    shown.className = 'attention-live-paper';
    container.append(shown);
  }, { signal });
  window.addEventListener('afterprint', clear, { signal });
  signal.addEventListener('abort', clear);
}
