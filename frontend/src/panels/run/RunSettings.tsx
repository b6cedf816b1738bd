import { NumberField } from '../../components/NumberField';
import { useCatalog } from '../../state/catalog';
import { TARGET_NAMES, TARGETS } from '../../plan/targets';
import { useSelect, useStore } from '../../state/store';

export function RunSettings() {
  const store = useStore();
  const target = useSelect((state) => state.draft.target);
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
    </div>
  );
}
