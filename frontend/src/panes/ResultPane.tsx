import { Suspense } from 'react';
import type { ReactNode } from 'react';
import type { CompileView } from '../api/types';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { Tabs } from '../components/Tabs';
import { useAfterPaint } from '../components/use-after-paint';
import type { Pane as PaneName } from '../state/view-state';
import { becomesLoops } from '../plan/plan';
import { useCatalog } from '../state/catalog';
import { useSelect, useStore } from '../state/store';
import { GraphPair } from './GraphPair';
import { MaximiseButton, Pane } from './Pane';
import { Presenting } from './Presenting';
import { Stale } from './Stale';
import { chosenTab } from './tabs';
import type { ResultTab } from './tabs';
import { WithoutStatements } from './WithoutStatements';

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
  const latest = useSelect((state) => state.compile.shown);
  // Code comes with the answer and pictures behind its frame, unless another key comes in between.
  const later = useAfterPaint(latest) ?? latest;
  const shown = name === 'code' ? latest : later;
  const language = useSelect((state) => state.draft.language);
  const target = useSelect((state) => state.draft.target);
  const noAssembly = useCatalog((catalog) => catalog.no_assembly);
  const titled = tabs.flatMap((tab) => {
    if (tab.onlyIn !== undefined && tab.onlyIn !== language) return [];
    const title = tab.titleOver === undefined ? tab.title : tab.titleOver(shown?.view ?? null, target);
    return title === null ? [] : [{ ...tab, title, obstacle: tab.needsAssembly ? noAssembly : null }];
  });
  const chosen = chosenTab(titled, id);
  const drawn = drawnOf(chosen, becomesLoops(shown?.plan.language));
  return (
    <Pane name={name}>
      <Tabs
        label={label}
        tabs={titled}
        chosen={chosen.id}
        onChoose={(next) => store.look({ [name]: next })}
        tools={
          <>
            <Presenting name={name} />
            <MaximiseButton name={name} />
          </>
        }
      >
        {shown === null ? (
          <p className="panel-message muted">{waiting}</p>
        ) : drawn === null ? (
          <WithoutStatements />
        ) : drawn.asksItself ? (
          <Content tab={drawn} result={shown.view} />
        ) : (
          <Stale of={shown}>
            <Content tab={drawn} result={shown.view} />
          </Stale>
        )}
      </Tabs>
    </Pane>
  );
}

/** What a tab draws of the plan: a program without statements is drawn by another panel, or by none. */
function drawnOf(tab: ResultTab, loops: boolean): ResultTab | null {
  if (!loops || tab.withoutStatements === undefined) return tab;
  const { arrangement, ...rest } = tab;
  void arrangement;
  return tab.withoutStatements === null ? null : { ...rest, panels: [tab.withoutStatements] };
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
