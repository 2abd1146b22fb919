// Keeps the pages of a distribution for visits without a network. Pages of other sites that include the element or the
// frame do not load this module, so nothing is stored for them.
//
// Opt out: `?offline=no` in a page's address (which also forgets what was kept), or
// `<meta name="attention-live-offline" content="no">` in a page.

const worker = new URL('./service-worker.js', import.meta.url);
const prefix = 'attention-live-'; // of the caches; service-worker.js has the same

/** Whether this page takes part: "yes", "no" (its author's choice), or "forget" (the reader's). */
export function choice(address = location.href, page = document) {
  if (new URL(address).searchParams.get('offline') === 'no') return 'forget';
  const meta = page.querySelector('meta[name="attention-live-offline"]');
  return meta?.content.trim().toLowerCase() === 'no' ? 'no' : 'yes';
}

/** Deletes everything that was stored. */
export async function forget() {
  const scope = new URL('.', worker).href;
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    if (registration.scope === scope) await registration.unregister();
  }
  for (const name of await caches.keys()) if (name.startsWith(`${prefix}${scope} `)) await caches.delete(name);
}

async function begin() {
  const wanted = choice();
  // Not in a frame: its reader visits another site.
  if (wanted === 'no' || window.top !== window || !navigator.serviceWorker) return;
  if (wanted === 'forget') await forget();
  else await navigator.serviceWorker.register(worker, { scope: new URL('.', worker).href, updateViaCache: 'none' });
}

const patience = 5000; // milliseconds until a page that is never idle is kept all the same

/** Registers the service worker once the page has loaded. The page also works where that is not possible. */
function later() {
  const start = () => begin().catch(() => {});
  if (window.requestIdleCallback) requestIdleCallback(start, { timeout: patience });
  else setTimeout(start);
}
if (document.readyState === 'complete') later();
else addEventListener('load', later, { once: true });
