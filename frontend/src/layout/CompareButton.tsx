import { Suspense, useCallback, useRef, useState } from 'react';
import { useDismiss } from '../components/use-dismiss';
import { endComparison } from '../state/comparison-actions';
import { useSelect, useStore } from '../state/store';
import { lazyFile } from '../components/loading/lazy-file';

const CompareChoices = lazyFile(() => import('../panes/compare/CompareChoices'));

/** Asks what the plan is to be compared with, or ends the comparison. */
export function CompareButton() {
  const store = useStore();
  const comparing = useSelect((state) => state.comparison !== null);
  const [asked, setAsked] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback((by: 'escape' | 'outside' | 'choice') => {
    setAsked(false);
    if (by !== 'outside') button.current?.focus();
  }, []);
  useDismiss(box, asked, close);
  return (
    <div className="compare-choose" ref={box}>
      <button
        ref={button}
        type="button"
        className="button quiet header-compare"
        aria-pressed={comparing}
        aria-expanded={comparing ? undefined : asked}
        data-tip="Two plans side by side"
        onClick={() => (comparing ? endComparison(store) : setAsked(!asked))}
      >
        Compare
      </button>
      {asked && (
        <Suspense fallback={null}>
          <CompareChoices onChosen={() => close('choice')} />
        </Suspense>
      )}
    </div>
  );
}
