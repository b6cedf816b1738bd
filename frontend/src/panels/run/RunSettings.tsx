import { NumberField } from '../../components/NumberField';
import { useCatalog } from '../../state/catalog';
import { TARGET_NAMES, TARGETS } from '../../plan/targets';
import { useSelect, useStore } from '../../state/store';
import type { WorkerView } from '../../api/types';
import { DEFAULT_BASELINES } from '../../plan/plan';
import { choosesForDense, comparedWith, lackOfBaseline, withBaseline } from './baseline-choice';

/** `workers` are those that are connected; null before it is known. */
export function RunSettings({ workers }: { readonly workers: readonly WorkerView[] | null }) {
  const store = useStore();
  const target = useSelect((state) => state.draft.target);
  const chosen = useSelect((state) => state.draft.baselines);
  const tensors = useSelect((state) => state.compile.shown?.view.tensors) ?? [];
  const compared = comparedWith(chosen, tensors, target);
  const baselines = useCatalog((catalog) => catalog.baselines);
  const threads = useSelect((state) => state.draft.threads);
  const cores = useCatalog((catalog) => catalog.machine?.cores ?? null);
  return (
    <div className="run-settings">
      <span className="field">
        <label htmlFor="run-target">Target</label>
        <select
          id="run-target"
          value={target}
          onChange={(event) => {
            const wanted = TARGET_NAMES.find((name) => name === event.target.value);
            if (wanted) store.update({ kind: 'target', target: wanted });
          }}
        >
          {TARGET_NAMES.map((name) => (
            <option key={name} value={name}>
              {TARGETS[name].title}
            </option>
          ))}
        </select>
      </span>
      <NumberField
        of="Run"
        label="Threads"
        value={threads}
        integer
        optional
        minimum={1}
        maximum={cores ?? 1024}
        placeholder={cores === null ? 'all' : String(cores)}
        onChange={(value) => store.update({ kind: 'threads', threads: value })}
      />
      <fieldset className="baselines">
        <legend>Compare with</legend>
        {baselines.map((baseline) => {
          const { name, title, computes } = baseline;
          const ticked = compared.includes(name);
          const lack = lackOfBaseline(baseline, workers);
          return (
            <label key={name} title={computes}>
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
    </div>
  );
}
