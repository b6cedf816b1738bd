import { useEffect } from 'react';
import { HOME } from '../api/site';

/** In place of the explorer: no other plan is opened, which somebody would take for the one behind the link. */
export function LinkNotOpened({ reason }: { readonly reason: string }) {
  useEffect(() => {
    const again = (): void => window.location.reload();
    window.addEventListener('hashchange', again);
    return () => window.removeEventListener('hashchange', again);
  }, []);
  return (
    <div className="page">
      <header className="header">
        <h1 className="wordmark">
          <a href={HOME}>Heddle</a>
        </h1>
      </header>
      <main className="link-not-opened">
        <p role="alert">{reason}</p>
        <p>
          <button type="button" className="button" onClick={() => window.location.reload()}>
            Try again
          </button>{' '}
          <a className="button" href={HOME}>
            Open the explorer
          </a>
        </p>
      </main>
    </div>
  );
}
