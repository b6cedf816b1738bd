/** A style sheet that did not come is taken away: the bundler does not ask again for one that stands in the document. */
export function forgetFailedStyles(): void {
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.remove();
    },
    // Errors of files do not bubble.
    { capture: true },
  );
}
