import { lazy, Suspense } from 'react';
import type { ComponentType } from 'react';
import type { CompileView } from '../api/types';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { Tabs } from '../components/Tabs';
import { useSelect, useStore } from '../state/store';
import type { UnderstandTab } from '../state/view-state';
import { MaximiseButton, Pane } from './Pane';
import { Stale } from './Stale';

const GraphPanel = lazy(() => import('../panels/graph/GraphPanel'));
const ProvenancePanel = lazy(() => import('../panels/provenance/ProvenancePanel'));
const LatticePanel = lazy(() => import('../panels/lattice/LatticePanel'));
<<<<<<< HEAD
const StoragePanel = lazy(() => import('../panels/storage/StoragePanel'));
=======
const FilmstripPanel = lazy(() => import('../panels/filmstrip/FilmstripPanel'));
>>>>>>> 5cfa9bb (Filmstrip: the schedule folded back to any step, with graph, change of the code and counted work of each)
const SpacePanel = lazy(() => import('../panels/space/SpacePanel'));

const TABS = [
  { id: 'graphs', title: 'Graphs' },
  { id: 'iteration', title: 'Iteration graph' },
  { id: 'provenance', title: 'Provenance graph' },
  { id: 'space', title: 'Space' },
  { id: 'lattice', title: 'Lattice' },
<<<<<<< HEAD
  { id: 'storage', title: 'Storage' },
] as const;

/** Tabs with one panel. A storage picture is asked for by itself: it is never older than the text. */
const SINGLE = {
  space: { name: 'The iteration space', Panel: SpacePanel },
  lattice: { name: 'The merge lattice', Panel: LatticePanel },
  storage: { name: 'The storage picture', Panel: StoragePanel },
} as const;
=======
  { id: 'filmstrip', title: 'Filmstrip' },
] as const;

/** The tabs that one panel fills. */
const ALONE: Partial<Record<UnderstandTab, { readonly name: string; readonly Panel: ComponentType<PanelProps> }>> = {
  space: { name: 'The iteration space', Panel: SpacePanel },
  lattice: { name: 'The merge lattice', Panel: LatticePanel },
  filmstrip: { name: 'The filmstrip', Panel: FilmstripPanel },
};

interface PanelProps {
  readonly result: CompileView;
}
>>>>>>> 5cfa9bb (Filmstrip: the schedule folded back to any step, with graph, change of the code and counted work of each)

/** What the schedule does: the iteration graph beside the provenance graph, since they are read together. */
export function UnderstandPane() {
  const store = useStore();
  const tab = useSelect((state) => state.view.understand);
  const shown = useSelect((state) => state.compile.shown);
<<<<<<< HEAD
  const single = tab in SINGLE ? SINGLE[tab as keyof typeof SINGLE] : null;
=======
  const alone = ALONE[tab];
>>>>>>> 5cfa9bb (Filmstrip: the schedule folded back to any step, with graph, change of the code and counted work of each)
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
<<<<<<< HEAD
          <Stale stale={shown.stale.graph && tab !== 'storage'}>
            {single !== null ? (
              <ErrorBoundary name={single.name} resetKey={shown.view}>
                <Suspense fallback={<p className="panel-message">Loading…</p>}>
                  <single.Panel result={shown.view} />
=======
          <Stale stale={shown.stale.graph}>
            {alone ? (
              <ErrorBoundary key={tab} name={alone.name} resetKey={shown.view}>
                <Suspense fallback={<p className="panel-message">Loading…</p>}>
                  <alone.Panel result={shown.view} />
>>>>>>> 5cfa9bb (Filmstrip: the schedule folded back to any step, with graph, change of the code and counted work of each)
                </Suspense>
              </ErrorBoundary>
            ) : (
              <div className={tab === 'graphs' ? 'graphs graphs-both' : 'graphs'}>
                {tab !== 'provenance' && (
                  <ErrorBoundary name="The iteration graph" resetKey={shown.view}>
                    <Suspense fallback={<p className="panel-message">Loading…</p>}>
                      <GraphPanel result={shown.view} onMerge={() => store.look({ understand: 'lattice' })} />
                    </Suspense>
                  </ErrorBoundary>
                )}
                {tab !== 'iteration' && (
                  <ErrorBoundary name="The provenance graph" resetKey={shown.view}>
                    <Suspense fallback={<p className="panel-message">Loading…</p>}>
                      <ProvenancePanel result={shown.view} />
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
