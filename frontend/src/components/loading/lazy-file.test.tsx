import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lazyFile } from './lazy-file';
import { NotLoadedDialog } from './NotLoadedDialog';
import { loadOrReload } from '../../state/loading/missing-files';

const PAGE = '<script type="module" src="/assets/index-abc.js"></script>';

/** A file that does not come until `come` is called. */
function fileThatFails(text: string) {
  let comes = false;
  const load = vi.fn(() =>
    comes ? Promise.resolve({ default: () => <p>{text}</p> }) : Promise.reject(new TypeError('Failed to fetch')),
  );
  return { load, come: () => (comes = true) };
}

const answer = (html: string) => () => Promise.resolve(new Response(html));
const settle = () => act(() => vi.advanceTimersByTimeAsync(0));

describe('a file of the page that does not come', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    // The script of the page, which a document of the tests would try to load.
    const script = document.createElement('script');
    script.setAttribute('src', '/assets/index-abc.js');
    vi.spyOn(document, 'querySelector').mockReturnValue(script);
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  async function drawn(file: ReturnType<typeof fileThatFails>) {
    const Lazy = lazyFile(file.load);
    render(
      <>
        <h1>The page</h1>
        <Suspense fallback="Loading…">
          <Lazy />
        </Suspense>
      </>,
    );
    await settle();
    expect(screen.getByRole('heading', { name: 'The page' })).toBeTruthy();
  }

  it('is asked for again by a button', async () => {
    vi.stubGlobal('fetch', answer(PAGE));
    const file = fileThatFails('here');
    await drawn(file);
    expect(screen.getByRole('status').textContent).toBe(
      'The connection was cut while this part of the page was loading.',
    );
    file.come();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(screen.getByText('here')).toBeTruthy();
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('comes by itself with the connection, and is not asked for without', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const file = fileThatFails('here');
    await drawn(file);
    expect(screen.getByRole('status').textContent).toContain('Not connected');
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(file.load).toHaveBeenCalledTimes(1);
    file.come();
    vi.stubGlobal('fetch', answer(PAGE));
    window.dispatchEvent(new Event('online'));
    await settle();
    expect(screen.getByText('here')).toBeTruthy();
  });

  it('is offered with a new page where the browser keeps in mind that it did not come', async () => {
    const file = 'http://localhost/assets/Panel-abc.js';
    const asked: string[] = [];
    vi.stubGlobal('fetch', (url: string) => {
      asked.push(url);
      return Promise.resolve(new Response(PAGE));
    });
    let comes = false;
    const load = vi.fn(() =>
      comes
        ? Promise.resolve({ default: () => <p>here</p> })
        : Promise.reject(new TypeError(`Failed to fetch dynamically imported module: ${file}`)),
    );
    const Lazy = lazyFile(load);
    render(
      <Suspense fallback={null}>
        <Lazy />
      </Suspense>,
    );
    await settle();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(asked).toContain(file);
    expect(screen.getByRole('status').textContent).toContain('Your plan is in the address and stays.');
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
    const attempts = load.mock.calls.length;
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(load).toHaveBeenCalledTimes(attempts);
    const reload = vi.fn();
    await act(() => loadOrReload(reload));
    expect(reload).toHaveBeenCalledOnce();
    comes = true;
    window.dispatchEvent(new Event('online'));
    await settle();
  });

  it('of a page that Heddle no longer serves is not asked for again', async () => {
    vi.stubGlobal('fetch', answer('<script type="module" src="/assets/index-def.js"></script>'));
    const file = fileThatFails('here');
    await drawn(file);
    expect(screen.getByRole('status').textContent).toBe(
      'Heddle was updated since you opened this page. Your plan is in the address and stays.',
    );
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(file.load).toHaveBeenCalledTimes(1);
    // The other tests of this process begin with no file missing.
    file.come();
    window.dispatchEvent(new Event('online'));
    await settle();
  });

  it('leaves a dialog that can be closed', async () => {
    vi.stubGlobal('fetch', answer(PAGE));
    const file = fileThatFails('here');
    const close = vi.fn();
    const Lazy = lazyFile<{ readonly onClose: () => void }>(file.load, NotLoadedDialog);
    render(
      <Suspense fallback={null}>
        <Lazy onClose={close} />
      </Suspense>,
    );
    await settle();
    fireEvent.click(screen.getByRole('button', { name: 'Close', hidden: true }));
    expect(close).toHaveBeenCalledOnce();
    file.come();
    window.dispatchEvent(new Event('online'));
    await settle();
  });
});
