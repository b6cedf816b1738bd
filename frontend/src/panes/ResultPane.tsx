import { Suspense } from 'react';
import type { ReactNode } from 'react';
import type { CompileView } from '../api/types';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { Tabs } from '../components/Tabs';
import type { Pane as PaneName } from '../state/view-state';
import { becomesLoops } from '../plan/plan';
import { useSelect, useStore } from '../state/store';
import { GraphPair } from './GraphPair';
import { MaximiseButton, Pane } from './Pane';
import { Stale } from './Stale';
import { chosenTab } from './tabs';
import type { ResultTab } from './tabs';

interface Props {
  readonly name: Extract<PaneName, 'understand' | 'code'>;
  /** Names the list of tabs. */
  readonly label: string;
  readonly tabs: readonly ResultTab[];
  /** Stands in for the panels before the first compile. */
  readonly waiting: string;
}

/** A pane whose tabs draw the compiled plan. */
export function ResultPane({ name, label, tabs, waiting }: Props) {
  const store = useStore();
  const id = useSelect((state) => state.view[name]);
  const shown = useSelect((state) => state.compile.shown);
  const language = useSelect((state) => state.draft.language);
  const titled = tabs.flatMap((tab) => {
    if (tab.onlyIn !== undefined && tab.onlyIn !== language) return [];
    const title = tab.titleOver === undefined ? tab.title : tab.titleOver(shown?.view ?? null);
    return title === null ? [] : [{ ...tab, title }];
  });
  const tab = chosenTab(titled, id);
  return (
    <Pane name={name}>
      <Tabs
        label={label}
        tabs={titled}
        chosen={tab.id}
        onChoose={(chosen) => store.look({ [name]: chosen })}
        tools={<MaximiseButton name={name} />}
      >
        {shown === null ? (
          <p className="panel-message muted">{waiting}</p>
        ) : tab.withoutStatements !== undefined && becomesLoops(shown.plan.language) ? (
          <p className="panel-message muted">{tab.withoutStatements}</p>
        ) : tab.asksItself ? (
          <Content tab={tab} result={shown.view} />
        ) : (
          <Stale>
            <Content tab={tab} result={shown.view} />
          </Stale>
        )}
      </Tabs>
    </Pane>
  );
}

function Content({ tab, result }: { readonly tab: ResultTab; readonly result: CompileView }): ReactNode {
  const panels = tab.panels.map(({ name, Panel }) => (
    <ErrorBoundary key={name} name={name} resetKey={result}>
      <Suspense fallback={<p className="panel-message">Loading…</p>}>
        <Panel result={result} tab={tab.id} />
      </Suspense>
    </ErrorBoundary>
  ));
  if (tab.arrangement === 'pair') return <GraphPair result={result} panels={panels} />;
  return tab.arrangement === 'alone' ? <div className="graphs">{panels}</div> : panels;
}
