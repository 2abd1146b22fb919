// The stand-alone page: one attention-live that fills the window, and whose state the page's address follows.

import { offerEmbedding } from './element/embed/embed_button.mjs';
import { followAddress } from './program/address.mjs';
import { mount } from './program/boot.mjs';
import { home } from './program/files.mjs';
import { languageAmong, speak } from './program/language.mjs';
import { offerAgain, part } from './program/loading/part.mjs';
import { beginning, goOverToTranslator, isFirstVisit } from './beginning.mjs';
import { mayLeave, offerSite, pageIn } from './site.mjs';

const container = document.querySelector('#attention-live');
// Set by code that shows this page in a frame without an address of its own, as the notebook does.
const written = document.querySelector('meta[name="attention-live-link"]')?.content ?? '';
// A link leads to a certain state, so nothing is played after it.
const unasked = location.hash === '' && written === '';

/** Loads the page anew, with every file of it from the server, not from the browser's cache. The address has the state. */
async function renew() {
  const [here] = location.href.split('#');
  const { ok } = await fetch(here, { cache: 'reload' });
  if (!ok) throw new Error('The server has no page.');
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  const own = new Set(files.filter((name) => name.startsWith(home)));
  await Promise.allSettled([...own].map((name) => fetch(name, { cache: 'reload' })));
  location.reload();
}

const here = languageAmong(document.documentElement.lang);
const language = languageAmong(new URLSearchParams(location.search).get('lang'), here);

/** The address of this page, where it is the only one, that asks for a language. */
function asking(wanted) {
  const address = new URL(location.href);
  address.searchParams.set('lang', wanted);
  return address.href;
}

function begin() {
  speak(language).catch(() => {}); // what the page says around the program
  const options = {
    language, page: here === 'en' ? undefined : location.href.replace(/[?#].*/s, ''),
    link: () => location.hash || written || beginning, autoplay: unasked && isFirstVisit(), renew,
    chooseLanguage: location.protocol === 'about:' ? undefined : (wanted) => {
      if (mayLeave(window.attentionLive.state())) location.assign(pageIn(wanted) ?? asking(wanted));
    },
  };
  window.attentionLive = Object.assign(mount(container, options), {
    /** Opens the dialog that gives the code for other pages to show the present state. */
    async embed() {
      const { openEmbedDialog } = await part(() => import('./element/embed/embed_dialog.mjs'));
      openEmbedDialog(window.attentionLive);
    },
  });
  if (unasked) goOverToTranslator(container, window.attentionLive);
  const embed = () => window.attentionLive.embed().catch((cause) => offerAgain(container, cause, embed));
  offerEmbedding(container, embed);
  followAddress(container, window.attentionLive, beginning);
  offerSite(container, () => window.attentionLive.state());
}

// What is around the program speaks the language that the address asks for, too, where there is such a page.
if (language !== here && pageIn(language)) location.replace(pageIn(language));
else begin();
