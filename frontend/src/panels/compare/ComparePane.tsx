import { Suspense } from 'react';
import { ErrorBoundary } from '../../components/ErrorBoundary';
import { Tabs } from '../../components/Tabs';
import type { Comparison } from '../../state/comparison';
import { useSelect, useStore } from '../../state/store';
import type { CompareTab } from '../../state/view-state';
import { CodeComparison } from './CodeComparison';
import './compare.css';
import { CompareHead } from './CompareHead';
import { GraphsComparison } from './GraphsComparison';
import { Summary } from './Summary';
import { useSides } from './useSides';

const TABS: readonly { readonly id: CompareTab; readonly title: string }[] = [
  { id: 'summary', title: 'Differences' },
  { id: 'graphs', title: 'Graphs' },
  { id: 'code', title: 'Code' },
];

const PANELS = { summary: Summary, graphs: GraphsComparison, code: CodeComparison } as const;

/** Two plans side by side: the other one on the left, the one in the editors on the right. */
export default function ComparePane({ comparison }: { readonly comparison: Comparison }) {
  const store = useStore();
  const tab = useSelect((state) => state.view.compare);
  const sides = useSides(comparison);
  const Panel = PANELS[tab];
  return (
    <section className="pane pane-compare" aria-label="Compare">
      <h2 className="visually-hidden">Compare</h2>
      <CompareHead comparison={comparison} />
      <div role="status" className="compare-problems">
        {sides.map(({ name, problem }, index) =>
          problem === null ? null : (
            <p key={index} className="tone-error">
              ✕ {name}: {problem}
            </p>
          ),
        )}
      </div>
      <Tabs label="What is compared" tabs={TABS} chosen={tab} onChoose={(compare) => store.look({ compare })}>
        <ErrorBoundary name="The comparison" resetKey={sides[1].view}>
          <Suspense fallback={<p className="panel-message">Loading…</p>}>
            <Panel left={sides[0]} right={sides[1]} />
          </Suspense>
        </ErrorBoundary>
      </Tabs>
    </section>
  );
}
