// At s/ID and embed/ID of a folder: opens its page with the link, and with what the address asks of it.
const [, kind, id] = /\/(s|embed)\/([0-9A-Za-z]+)(?:\/|\/index\.html)?$/.exec(location.pathname);
const page = new URL(kind === 's' ? '.' : 'embed.html', document.currentScript.src).href;
location.replace(`${page}${location.search}${location.hash || `#link=${id}`}`);
