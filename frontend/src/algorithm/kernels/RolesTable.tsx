import type { DecompositionResult } from '../../api/types';
import { KernelTable } from './KernelTable';

/** Each kernel as it ran. */
export function RolesTable({ result }: { readonly result: DecompositionResult }) {
  const checked = result.verification;
  return (
    <section className="algorithm-panel" aria-label="Kernels">
      <h2>Kernels</h2>
      <KernelTable label="Table of kernels" caption="How each kernel was computed" roles={result.roles} />
      <p className="caption muted" hidden={checked.length === 0}>
        {checked.length} kernels were compared with NumPy before the first sweep; the largest difference is{' '}
        {Math.max(...checked.map(({ max_error: error }) => error)).toExponential(1)} of the sum of magnitudes.
      </p>
    </section>
  );
}
