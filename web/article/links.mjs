// Scrolls to the figure of a clicked link, which would seem to do nothing if the figure is out of sight.

const enough = 0.5; // of the figure, seen

function isSeen(element) {
  const { top, bottom, height } = element.getBoundingClientRect();
  const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
  return seen >= enough * Math.min(height, innerHeight);
}

/** Shows the figure of a link in the prose that is clicked. */
export function showFigures(root = document) {
  root.addEventListener('click', (event) => {
    const id = event.target.closest?.('a[data-attention-live]')?.dataset.attentionLive;
    const figure = id && root.getElementById(id);
    if (figure && !isSeen(figure)) figure.scrollIntoView({ block: 'center' });
  });
}
