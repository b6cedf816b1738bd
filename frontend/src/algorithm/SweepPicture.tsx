import { shares } from '../viz/decomposition/shares';
import type { Swept } from '../viz/decomposition/shares';

const STEPS = [
  ['mttkrp', 'MTTKRP', 'the sparse kernel of the mode'],
  ['solve', 'Solve', 'rank × rank equations, LAPACK'],
  ['scale', 'Scale', 'columns to λ, Gram matrix'],
  ['fit', 'Fit', 'from inner products, once a sweep'],
] as const;

/** One sweep as a cycle: the first three for each mode, then the fit. The bar of a step is its share of the time. */
export function SweepPicture({ history }: { readonly history: readonly Swept[] }) {
  const spent = shares(history);
  const shareOf = (step: string): number =>
    spent.filter(({ phase }) => phase.split('.')[0] === step).reduce((sum, { share }) => sum + share, 0);
  return (
    <section className="algorithm-panel" aria-label="One sweep">
      <h2>One sweep</h2>
      <ol className="sweep-steps">
        {STEPS.map(([step, title, what]) => (
          <li key={step} className="sweep-step">
            <strong>{title}</strong>
            <span className="caption muted">{what}</span>
            {history.length > 0 && (
              <>
                <span
                  className="share-bar"
                  style={{ inlineSize: `${String(100 * shareOf(step))}%` }}
                  aria-hidden="true"
                />
                <span>{percent(shareOf(step))} of the time</span>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

export const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
