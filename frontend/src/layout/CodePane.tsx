import { lazy, Suspense } from 'react';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { Tabs } from '../components/Tabs';
import { useSelect, useStore } from '../state/store';
import { MaximiseButton, Pane } from './Pane';
import { Stale } from './Stale';

const CodePanel = lazy(() => import('../panels/code/CodePanel'));
const StagesPanel = lazy(() => import('../panels/stages/StagesPanel'));

const LANGUAGES = { c: 'C', cuda: 'CUDA', opencl: 'OpenCL', loops: 'Loops' } as const;

/** What comes out: the generated code, and every stage on the way to it. */
export function CodePane() {
  const store = useStore();
  const tab = useSelect((state) => state.view.code);
  const shown = useSelect((state) => state.compile.shown);
  const tabs = [
    { id: 'code', title: LANGUAGES[shown?.view.code?.language ?? 'c'] },
    { id: 'stages', title: 'Stages' },
  ] as const;
  return (
    <Pane name="code" title="Code">
      <Tabs
        label="Generated code"
        tabs={tabs}
        chosen={tab}
        onChoose={(code) => store.look({ code })}
        tools={<MaximiseButton name="code" title="Code" />}
      >
        {shown === null ? (
          <p className="panel-message muted">The code appears when the expression compiles.</p>
        ) : (
          <Stale stale={shown.stale.code}>
            <ErrorBoundary name="The code" resetKey={shown.view}>
              <Suspense fallback={<p className="panel-message">Loading…</p>}>
                {tab === 'code' ? <CodePanel result={shown.view} /> : <StagesPanel result={shown.view} />}
              </Suspense>
            </ErrorBoundary>
          </Stale>
        )}
      </Tabs>
    </Pane>
  );
}
