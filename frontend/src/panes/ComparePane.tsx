import { Suspense } from 'react';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { Tabs } from '../components/Tabs';
import type { Comparison } from '../state/plans/comparison';
import { useSelect, useStore } from '../state/store';
import './compare/compare.css';
import { CompareHead } from './compare/CompareHead';
import { useSides } from './compare/use-sides';
import { chosenTab, COMPARE_TABS } from './tabs';

/** Two plans side by side: the other one on the left, the one in the editors on the right. */
export default function ComparePane({ comparison }: { readonly comparison: Comparison }) {
  const store = useStore();
  const tab = chosenTab(
    COMPARE_TABS,
    useSelect((state) => state.view.compare),
  );
  const sides = useSides(comparison);
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
      <Tabs
        label="What is compared"
        tabs={COMPARE_TABS}
        chosen={tab.id}
        onChoose={(compare) => store.look({ compare })}
      >
        <ErrorBoundary name="The comparison" resetKey={sides[1].view}>
          <Suspense fallback={<p className="panel-message">Loading…</p>}>
            <tab.Panel left={sides[0]} right={sides[1]} />
          </Suspense>
        </ErrorBoundary>
      </Tabs>
    </section>
  );
}
