// The links from the start page to the other pages: a line where there is room for one, else behind a small button. In
// somebody else's page, or as a file of its own, there are no others.

/** @param {HTMLElement} container of the program */
export function offerSite(container) {
  const links = document.querySelector('#site');
  if (!links) return;
  if (window.top !== window || !/^https?:$/.test(location.protocol)) {
    links.hidden = true;
    return;
  }
  const roomy = matchMedia('(min-width: 1000px) and (min-height: 600px)'); // as in style.css
  const fold = () => {
    links.open = roomy.matches;
  };
  roomy.addEventListener('change', fold);
  fold();

  // The canvas can be dark where the system is not.
  const follow = ({ detail }) => {
    if (links.dataset.theme !== detail.theme) links.dataset.theme = detail.theme;
  };
  for (const name of ['attention-live-start', 'attention-live-change']) container.addEventListener(name, follow);

  links.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || roomy.matches) return;
    links.open = false;
    links.querySelector('summary').focus();
  });
  // A press anywhere else, as on any menu.
  document.addEventListener('pointerdown', (event) => {
    if (!roomy.matches && !links.contains(event.target)) links.open = false;
  }, { capture: true });
}
