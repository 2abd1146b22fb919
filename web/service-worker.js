// Lets the pages of a distribution open without a network. The packaging fills in what a version is made of.
//
// A version is kept whole or not at all. Hashed files come from the cache, since they never change; everything else
// comes from the network as long as there is one, so that a new version shows at once. The old version's files stay
// until no page of it is open. Nothing from another origin, and nothing outside this folder, is touched.

/* global ATTENTION_LIVE_VERSION, ATTENTION_LIVE_FILES */

const home = new URL('.', self.location).href;
const prefix = `attention-live-${home} `;
const kept = prefix + ATTENTION_LIVE_VERSION;
const patience = 4000; // milliseconds for a network that does not answer

const hashed = (address) => address.startsWith(`${home}files/`);

/** Puts a file into the cache of this version; hashed files of an older one are taken over. */
async function keep(cache, name) {
  const address = new URL(name, home).href;
  const known = hashed(address) ? await caches.match(address) : undefined;
  const response = known ?? await fetch(address, { cache: hashed(address) ? 'default' : 'no-cache' });
  if (!response.ok || response.redirected) throw new Error(`${name}: ${response.status}`);
  await cache.put(address, response);
}

/** Fills the cache of this version. A broken connection would lose the whole version: each file gets a second try. */
async function fill() {
  const cache = await caches.open(kept);
  await Promise.all(ATTENTION_LIVE_FILES.map((name) => keep(cache, name).catch(() => keep(cache, name))));
}

async function dropOthers() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(prefix) && name !== kept);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** The page or file of this version, whatever is asked of it behind a “?”. */
async function fromCache({ url }) {
  const [address] = url.split(/[?#]/);
  const cache = await caches.open(kept);
  return cache.match(address === `${home}index.html` ? home : address, { ignoreVary: true });
}

/** What is not kept from the beginning, the translator's weights, is kept from its first use on. */
async function cachedFirst(request) {
  const found = await fromCache(request);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok && !response.redirected) {
    const copy = response.clone();
    caches.open(kept).then((cache) => cache.put(request.url, copy)).catch(() => {}); // there may be no room
  }
  return response;
}

async function networkFirst(request) {
  const own = fromCache(request);
  const coming = fetch(request);
  coming.catch(() => {}); // told below, or not waited for
  const tooLate = new Promise((resolve) => { setTimeout(resolve, patience); });
  const response = await Promise.race([coming, tooLate]).catch(() => undefined);
  if (response?.ok) return response;
  // A server that is ill answers too; what is not ours to know is passed on as it is.
  return (response?.status >= 500 || !response ? await own : undefined) ?? response ?? coming;
}

/** A figure's picture is not kept: without a network there is an empty one, and the figure's name stands there. */
async function pictureIfAny(request) {
  return fetch(request).catch(() => new Response(null, { status: 204 }));
}

function answer(request, address) {
  if (address.startsWith(`${home}posters/`)) return pictureIfAny(request);
  return hashed(address) ? cachedFirst(request) : networkFirst(request);
}

self.addEventListener('install', (event) => event.waitUntil(fill()));
self.addEventListener('activate', (event) => event.waitUntil(dropOthers()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== 'GET' || !address.href.startsWith(home) || request.headers.has('range')) return;
  if (address.searchParams.get('offline') === 'no') return;
  event.respondWith(answer(request, address.href));
});
