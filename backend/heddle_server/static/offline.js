// Behind FILES, which the build writes in front: every file of the folder with its SHA-256. Keeps them all by their
// content, so that a second visit asks nothing of the network, and adds the headers that kernels in a browser need.
const CACHE = 'heddle-folder';
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
const keyOf = (path) => new URL(`${path}?sha256=${FILES[path]}`, self.registration.scope).href;

async function contentOf(path) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(keyOf(path));
  if (known !== undefined) return known;
  const bytes = Uint8Array.from(FILES[path].match(/../g), (pair) => parseInt(pair, 16));
  const integrity = `sha256-${btoa(String.fromCharCode(...bytes))}`;
  const address = new URL(path, self.registration.scope).href;
  // What the browser has of an earlier folder does not fit: then it is asked for again.
  const answer = await fetch(address, { integrity }).catch(() => fetch(address, { integrity, cache: 'reload' }));
  if (!answer.ok) throw new TypeError(`${path}: ${answer.status}`);
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  // What the host packed is unpacked by now.
  headers.delete('Content-Encoding');
  headers.delete('Content-Length');
  const whole = new Response(await answer.arrayBuffer(), { headers });
  await cache.put(keyOf(path), whole.clone());
  return whole;
}

async function storeAll() {
  for (const path of Object.keys(FILES)) await contentOf(path);
}

async function dropOthers() {
  const cache = await caches.open(CACHE);
  const wanted = new Set(Object.keys(FILES).map(keyOf));
  const scope = self.registration.scope;
  for (const { url } of await cache.keys()) if (url.startsWith(scope) && !wanted.has(url)) await cache.delete(url);
  await self.clients.claim();
}

self.addEventListener('install', (event) => event.waitUntil(storeAll()));
self.addEventListener('activate', (event) => event.waitUntil(dropOthers()));
self.addEventListener('fetch', (event) => {
  const { url, method } = event.request;
  const scope = self.registration.scope;
  const place = url.split(/[?#]/)[0];
  if (method !== 'GET' || !place.startsWith(scope)) return;
  const path = decodeURIComponent(place.slice(scope.length)).replace(/(^|\/)$/, '$1index.html');
  if (Object.hasOwn(FILES, path)) event.respondWith(contentOf(path));
  else if (Object.hasOwn(FILES, `${path}/index.html`)) {
    event.respondWith(Response.redirect(url.replace(place, `${place}/`)));
  }
});
