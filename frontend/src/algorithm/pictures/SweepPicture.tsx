import type { AlgorithmName } from '../definition';
import { byPhase, shares } from '../../viz/decomposition/shares';
import type { Share, Swept } from '../../viz/decomposition/shares';
import { PhaseBar } from './PhaseBar';
import { usePhase } from './use-phase';

interface Step {
  readonly title: string;
  readonly what: string;
  /** What the next step takes of it. */
  readonly gives: string;
  /** The phases that it is, by what stands before their dot. */
  readonly phases: readonly string[];
}

const PRODUCT: Step = {
  title: 'MTTKRP',
  what: 'the sparse kernel of the mode',
  gives: 'V',
  phases: ['mttkrp', 'tree', 'leaf'],
};
const FIT: Step = {
  title: 'Fit',
  what: 'from inner products, once per sweep',
  gives: '1 − ‖X − M‖ / ‖X‖',
  phases: ['fit'],
};

const STEPS: Readonly<Record<AlgorithmName, readonly Step[]>> = {
  'cp-als': [
    PRODUCT,
    { title: 'Solve', what: 'rank × rank equations, LAPACK', gives: 'A = V G⁻¹', phases: ['solve'] },
    { title: 'Scale', what: 'columns to λ, Gram matrix', gives: 'λ, A, AᵀA', phases: ['scale'] },
    FIT,
  ],
  'cp-apr': [
    { title: 'Ratio', what: 'data by model, at the entries', gives: 'W = X ⊘ M', phases: ['ratio'] },
    { ...PRODUCT, what: 'of the ratio, for the mode', gives: 'Φ' },
    { title: 'Update', what: 'the factor times the product', gives: 'A ∗ Φ, λ', phases: ['update'] },
    FIT,
  ],
  'cp-opt': [
    { ...PRODUCT, what: 'of every mode, for the gradient', gives: 'G = A Γ − V' },
    { title: 'Search', what: 'along a direction, until it is low enough', gives: 'all factors', phases: ['search'] },
  ],
};

/** One sweep as a cycle: all but the fit for each mode. The bar of a step is its share of the time, mode by mode. */
export function SweepPicture({
  algorithm,
  history,
}: {
  readonly algorithm: AlgorithmName;
  readonly history: readonly Swept[];
}) {
  const spent = byPhase(shares(history));
  return (
    <section className="algorithm-panel" aria-label="One sweep">
      <h2>One sweep</h2>
      <ol className="sweep-steps">
        {STEPS[algorithm].map((step) => (
          <StepBox
            key={step.title}
            step={step}
            spent={spent.filter(({ phase }) => step.phases.includes(phase.split('.')[0] ?? ''))}
          />
        ))}
      </ol>
    </section>
  );
}

/** It lights with the rows of its phases, and lights them: by the pointer and by the keyboard. */
function StepBox({ step, spent }: { readonly step: Step; readonly spent: readonly Share[] }) {
  const lit = usePhase(spent.map(({ phase }) => phase));
  const share = spent.reduce((sum, one) => sum + one.share, 0);
  return (
    <li className="sweep-step" tabIndex={spent.length > 0 ? 0 : undefined} {...lit}>
      <strong>{step.title}</strong>
      <span className="caption muted">{step.what}</span>
      <span className="gives">→ {step.gives}</span>
      {spent.length > 0 && (
        <>
          <PhaseBar spent={spent} />
          <span>{percent(share)} of the time</span>
        </>
      )}
    </li>
  );
}

export const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
