import './theme/fonts.css';
import './theme/tokens.css';
import './theme/base.css';
import './theme/layout.css';
import './theme/panes.css';
import './theme/define.css';
import './theme/editor.css';
import './theme/messages.css';
import './theme/run.css';
import './theme/run-result.css';
import './theme/narrow.css';
import './theme/touch.css';
import './theme/links.css';
import './theme/overlays.css';
import './theme/present.css';
import './theme/print.css';
import './theme/forced-colors.css';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import type { AlgorithmDocument } from './api/types';
import { App } from './App';
import { LinkNotOpened } from './layout/LinkNotOpened';
import { ErrorBoundary } from './components/ErrorBoundary';
import { Tips } from './components/tips/Tips';
import { lazyFile } from './components/loading/lazy-file';
import { documentAt } from './state/address/decomposition-address';
import { embedAddress } from './state/address/embed-address';
import type { EmbedAddress } from './state/address/embed-address';
import { ActionsProvider } from './state/actions';
import { startCourse } from './state/lessons/course-address';
import { openSearch } from './state/address/search-address';
import { startAddress } from './state/address/address-bar';
import { loadCatalog } from './state/catalog';
import { startCompileLoop } from './state/loops/compile-loop';
import { startLegalLoop } from './state/loops/legal-loop';
import { links } from './state/links';
import { startMeasured } from './state/runs/measured';
import { isToured, loadPreferences } from './state/kept/preferences';
import { restore } from './state/address/restore';
import { createRunControl } from './state/loops/run-control';
import { startSession } from './state/kept/session';
import { startRunMemory } from './state/loops/run-memory';
import { runNow } from './state/loops/run-now';
import { createStore, StoreProvider } from './state/store';
import { firstView } from './state/loading/first-view';
import { watchStyles } from './state/loading/stylesheets';
import { startTraceLoop } from './state/loops/trace-loop';
import { keepFolder } from './api/offline';
import { HOME } from './api/site';

const EmbedApp = lazyFile(async () => ({ default: (await import('./embed/EmbedApp')).EmbedApp }));
const EmbeddedDecomposition = lazyFile(async () => ({
  default: (await import('./algorithm/EmbeddedDecomposition')).EmbeddedDecomposition,
}));
const DecompositionApp = lazyFile(async () => ({
  default: (await import('./algorithm/DecompositionApp')).DecompositionApp,
}));

/** Inside a frame on another page: nothing is kept in the browser, and the address stays as it was given. */
async function startEmbed(root: HTMLElement, address: EmbedAddress): Promise<void> {
  if (address.theme !== null) document.documentElement.setAttribute('data-theme', address.theme);
  const store = createStore();
  const { pathname } = window.location;
  const other = await restore(store, { pathname, hash: address.hash });
  if (other !== null) {
    createRoot(root).render(
      <StrictMode>
        <ErrorBoundary name="The decomposition" resetKey={other}>
          <Suspense fallback={null}>
            <EmbeddedDecomposition link={other} />
          </Suspense>
        </ErrorBoundary>
      </StrictMode>,
    );
    return;
  }
  const { force } = store.get().notice === null ? startCompileLoop(store) : { force: () => undefined };
  if (address.edit) {
    loadCatalog();
    startLegalLoop(store);
  }
  const run = createRunControl(store, force);
  const actions = { compileNow: force, runNow: () => runNow(store, run, force), run };
  createRoot(root).render(
    <StrictMode>
      <StoreProvider value={store}>
        <ActionsProvider value={actions}>
          <ErrorBoundary name="The plan" resetKey={address}>
            <Suspense fallback={null}>
              <EmbedApp address={address} />
            </Suspense>
          </ErrorBoundary>
          <Tips />
        </ActionsProvider>
      </StoreProvider>
    </StrictMode>,
  );
}

async function start(root: HTMLElement): Promise<void> {
  loadPreferences();
  loadCatalog();
  const store = createStore();
  const other = await restore(store, window.location);
  if (other !== null) return renderDecomposition(root, other.run?.id ?? null, other.plan);
  const { notice } = store.get();
  if (notice !== null) {
    createRoot(root).render(<LinkNotOpened reason={notice} />);
    return;
  }
  // Whoever follows a link came for what it shows.
  const plain = window.location.pathname === HOME && window.location.search === '' && window.location.hash === '';
  if (!isToured() && plain) store.patch({ tour: 0 });
  startCourse(store, window.location.search);
  openSearch(store, window.location.search);
  startSession(store);
  startAddress(store);
  const { force } = startCompileLoop(store);
  startTraceLoop(store);
  startLegalLoop(store);
  startMeasured(store);
  const run = createRunControl(store, force);
  startRunMemory(store, run);
  const actions = { compileNow: force, runNow: () => runNow(store, run, force), run };
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') links.clear();
  });
  await firstView(store);
  createRoot(root).render(
    <StrictMode>
      <StoreProvider value={store}>
        <ActionsProvider value={actions}>
          <ErrorBoundary name="The page" resetKey={store}>
            <App />
          </ErrorBoundary>
        </ActionsProvider>
      </StoreProvider>
    </StrictMode>,
  );
}

/** An algorithm instead of a plan: defined, run and watched on its own page. */
function startDecompositions(root: HTMLElement, opened: string | null): void {
  loadPreferences();
  loadCatalog();
  renderDecomposition(root, opened, documentAt(window.location.hash) ?? undefined);
}

function renderDecomposition(root: HTMLElement, opened: string | null, document?: AlgorithmDocument | undefined): void {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary name="The decomposition" resetKey={document}>
        <Suspense fallback={null}>
          <DecompositionApp opened={opened} document={document} />
        </Suspense>
      </ErrorBoundary>
    </StrictMode>,
  );
}

const root = document.getElementById('root');
const embedded = embedAddress(window.location);
const decomposition = new URLSearchParams(window.location.search).get('decomposition');
watchStyles();
// Frames on other pages keep nothing.
if (embedded === null) keepFolder();
if (root !== null) {
  if (embedded !== null) void startEmbed(root, embedded);
  else if (decomposition !== null) startDecompositions(root, decomposition === '' ? null : decomposition);
  else void start(root);
}
