import { NumberField } from '../../components/NumberField';
import { useCatalog } from '../../state/catalog';
import { TARGETS } from '../../plan/plan';
import { useSelect, useStore } from '../../state/store';
import { TARGET_TITLES } from './targets';

const BASELINES = [
  { name: 'scipy', title: 'SciPy' },
  { name: 'mkl', title: 'MKL' },
  { name: 'cusparse', title: 'cuSPARSE' },
] as const;

export function RunSettings() {
  const store = useStore();
  const target = useSelect((state) => state.draft.target);
  const baselines = useSelect((state) => state.draft.baselines);
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
            const chosen = TARGETS.find((name) => name === event.target.value);
            if (chosen) store.update({ kind: 'target', target: chosen });
          }}
        >
          {TARGETS.map((name) => (
            <option key={name} value={name}>
              {TARGET_TITLES[name]}
            </option>
          ))}
        </select>
      </span>
      <NumberField
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
        {BASELINES.map(({ name, title }) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={baselines.includes(name)}
              onChange={(event) => store.update({ kind: 'baseline', name, on: event.target.checked })}
            />
            {title}
          </label>
        ))}
      </fieldset>
    </div>
  );
}
