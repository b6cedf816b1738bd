import { useCatalog } from '../../state/catalog';
import { TARGETS } from '../../plan/targets';
import { useSelect, useStore } from '../../state/store';
import type { WorkerView } from '../../api/types';
import { DEFAULT_BASELINES } from '../../plan/plan';
import { choosesForDense, comparedWith, lackOfBaseline, withBaseline } from './baseline-choice';

/** What a run is compared with. `workers` are those that are connected; null before it is known. */
export function Baselines({ workers }: { readonly workers: readonly WorkerView[] | null }) {
  const store = useStore();
  const target = useSelect((state) => state.draft.target);
  const chosen = useSelect((state) => state.draft.baselines);
  const tensors = useSelect((state) => state.compile.shown?.view.tensors) ?? [];
  const compared = comparedWith(chosen, tensors, target);
  const baselines = useCatalog((catalog) => catalog.baselines);
  return (
    <fieldset className="baselines">
      <legend>Compare with</legend>
      {baselines.map((baseline) => {
        const { name, title, computes } = baseline;
        const ticked = compared.includes(name);
        const lack = lackOfBaseline(baseline, workers);
        return (
          <label key={name} data-tip={computes}>
            <input
              type="checkbox"
              aria-label={title}
              aria-describedby={lack === null ? undefined : `no-${name}`}
              checked={ticked}
              disabled={lack !== null && !ticked}
              onChange={(event) => {
                const usual = comparedWith(DEFAULT_BASELINES, tensors, target);
                const names = withBaseline(compared, name, event.target.checked, baselines, usual);
                store.update({ kind: 'baselines', names });
              }}
            />
            {title}
            {lack !== null && (
              <span id={`no-${name}`} className="caption muted">
                {lack}
              </span>
            )}
          </label>
        );
      })}
      {!TARGETS[target].mapped && choosesForDense(chosen, tensors) && (
        <p className="caption muted">All operands are dense: PyTorch takes part where it is installed.</p>
      )}
    </fieldset>
  );
}
