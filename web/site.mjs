// The line under the program that says what to do next, with the links to the other pages. In somebody else's page, or in
// a file of its own, there are no others.

/** @param {HTMLElement} container of the program */
export function offerSite(container) {
  const line = document.querySelector('#site');
  if (!line) return;
  if (window.top !== window || !/^https?:$/.test(location.protocol)) {
    line.hidden = true;
    return;
  }
  // The canvas can be dark where the system is not.
  const follow = ({ detail }) => {
    if (line.dataset.theme !== detail.theme) line.dataset.theme = detail.theme;
  };
  for (const name of ['attention-live-start', 'attention-live-change']) container.addEventListener(name, follow);
}
