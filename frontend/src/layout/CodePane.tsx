import { lazy, Suspense } from 'react';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { Tabs } from '../components/Tabs';
import { useSelect, useStore } from '../state/store';
import { tabsOf } from '../panels/code/codeTabs';
import { CODE_TABS } from '../state/view-state';
import type { CodeTab } from '../state/view-state';
import { MaximiseButton, Pane } from './Pane';
import { Stale } from './Stale';

const CodePanel = lazy(() => import('../panels/code/CodePanel'));
const StagesPanel = lazy(() => import('../panels/stages/StagesPanel'));

/** What comes out: the generated code, and every stage on the way to it. */
export function CodePane() {
  const store = useStore();
  const tab = useSelect((state) => state.view.code);
  const shown = useSelect((state) => state.compile.shown);
  const texts = shown === null ? [] : tabsOf(shown.view);
  const tabs = CODE_TABS.flatMap((id): { id: CodeTab; title: string }[] => {
    if (id === 'stages') return [{ id, title: 'Stages' }];
    const text = texts.find((one) => one.id === id);
    return text || id === 'target' ? [{ id, title: text?.title ?? 'Code' }] : [];
  });
  return (
    <Pane name="code" title="Code">
      <Tabs
        label="Generated code"
        tabs={tabs}
        chosen={tabs.some(({ id }) => id === tab) ? tab : 'target'}
        onChoose={(code) => store.look({ code })}
        tools={<MaximiseButton name="code" title="Code" />}
      >
        {shown === null ? (
          <p className="panel-message muted">The code appears when the expression compiles.</p>
        ) : (
          <Stale stale={shown.stale.code}>
            <ErrorBoundary name="The code" resetKey={shown.view}>
              <Suspense fallback={<p className="panel-message">Loading…</p>}>
                {tab === 'stages' ? (
                  <StagesPanel result={shown.view} />
                ) : (
                  <CodePanel result={shown.view} chosen={tab} />
                )}
              </Suspense>
            </ErrorBoundary>
          </Stale>
        )}
      </Tabs>
    </Pane>
  );
}
