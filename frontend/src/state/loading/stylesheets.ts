/**
 * Style sheets of what is loaded later. The bundler asks for each once, and takes one that failed for one that is there:
 * what it draws would have no style.
 */
const failed = new Set<string>();

/** Begins to notice style sheets that do not come. */
export function watchStyles(): void {
  document.addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
      failed.add(target.href);
      target.remove();
    },
    // Errors of files do not bubble.
    { capture: true },
  );
}

/** Asks for them again; false where one of them did not come. */
export async function loadFailedStyles(): Promise<boolean> {
  const arrived = await Promise.all([...failed].map(load));
  return arrived.every((came) => came);
}

function load(href: string): Promise<boolean> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.crossOrigin = '';
  link.href = href;
  document.head.append(link);
  return new Promise((resolve) => {
    link.addEventListener('load', () => {
      failed.delete(href);
      resolve(true);
    });
    link.addEventListener('error', () => resolve(false));
  });
}
