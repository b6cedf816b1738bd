import { lazy, Suspense } from 'react';
import type { ComponentType } from 'react';
import type { CompileView } from '../api/types';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { Tabs } from '../components/Tabs';
import { useSelect, useStore } from '../state/store';
import { MaximiseButton, Pane } from './Pane';
import { Stale } from './Stale';

const ReorderableGraph = lazy(() => import('../panels/graph/ReorderableGraph'));
const LiveProvenance = lazy(() => import('../panels/provenance/LiveProvenance'));
const LatticePanel = lazy(() => import('../panels/lattice/LatticePanel'));
const StoragePanel = lazy(() => import('../panels/storage/StoragePanel'));
const FilmstripPanel: ComponentType<{ readonly result: CompileView }> = lazy(
  () => import('../panels/filmstrip/FilmstripPanel'),
);
const SpacePanel = lazy(() => import('../panels/space/SpacePanel'));

const TABS = [
  { id: 'graphs', title: 'Graphs' },
  { id: 'iteration', title: 'Iteration' },
  { id: 'provenance', title: 'Provenance' },
  { id: 'space', title: 'Space' },
  { id: 'lattice', title: 'Lattice' },
  { id: 'storage', title: 'Storage' },
  { id: 'filmstrip', title: 'Filmstrip' },
] as const;

/** Tabs with one panel. A storage picture is asked for by itself: it is never older than the text. */
const SINGLE = {
  space: { name: 'The iteration space', Panel: SpacePanel },
  lattice: { name: 'The merge lattice', Panel: LatticePanel },
  storage: { name: 'The storage picture', Panel: StoragePanel },
  filmstrip: { name: 'The filmstrip', Panel: FilmstripPanel },
} as const;

/** What the schedule does: the iteration graph beside the provenance graph, since they are read together. */
export function UnderstandPane() {
  const store = useStore();
  const tab = useSelect((state) => state.view.understand);
  const shown = useSelect((state) => state.compile.shown);
  const single = tab in SINGLE ? SINGLE[tab as keyof typeof SINGLE] : null;
  return (
    <Pane name="understand" title="Understand">
      <Tabs
        label="Diagrams"
        tabs={TABS}
        chosen={tab}
        onChoose={(understand) => store.look({ understand })}
        tools={<MaximiseButton name="understand" title="Understand" />}
      >
        {shown === null ? (
          <p className="panel-message muted">The graphs appear when the expression compiles.</p>
        ) : (
          <Stale stale={shown.stale.graph && tab !== 'storage'}>
            {single !== null ? (
              <ErrorBoundary name={single.name} resetKey={shown.view}>
                <Suspense fallback={<p className="panel-message">Loading…</p>}>
                  <single.Panel result={shown.view} />
                </Suspense>
              </ErrorBoundary>
            ) : (
              <div className={tab === 'graphs' ? 'graphs graphs-both' : 'graphs'}>
                {tab !== 'provenance' && (
                  <ErrorBoundary name="The iteration graph" resetKey={shown.view}>
                    <Suspense fallback={<p className="panel-message">Loading…</p>}>
                      <ReorderableGraph result={shown.view} onMerge={() => store.look({ understand: 'lattice' })} />
                    </Suspense>
                  </ErrorBoundary>
                )}
                {tab !== 'iteration' && (
                  <ErrorBoundary name="The provenance graph" resetKey={shown.view}>
                    <Suspense fallback={<p className="panel-message">Loading…</p>}>
                      <LiveProvenance result={shown.view} />
                    </Suspense>
                  </ErrorBoundary>
                )}
              </div>
            )}
          </Stale>
        )}
      </Tabs>
    </Pane>
  );
}
