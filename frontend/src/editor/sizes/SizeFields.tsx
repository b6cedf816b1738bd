import { NumberField } from '../../components/NumberField';
import { useCatalog } from '../../state/catalog';
import { useSelect, useStore } from '../../state/store';
import { formatBytes, formatCount } from '../../text/quantities';
import { withEntry } from '../../plan/entries';
import { conflictsOf, costOf, filledSizes, gapsOf } from '../../state/sizes/gaps';
import { disagreementsOf, isFile, operandsOf, resized, statementsOf } from '../../state/sizes/operands';
import { useCompiled } from '../../state/sizes/use-compiled';
import './sizes.css';

const LARGEST_SIZE = 2 ** 31 - 1;

/** A field for every size and integer that no input says, all at once, and what a run of these sizes amounts to. */
export function SizeFields() {
  const store = useStore();
  const draft = useSelect((state) => state.draft);
  const compiled = useCompiled();
  const datasets = useCatalog((known) => known.datasets);
  const gaps = gapsOf(draft, compiled, datasets);
  const conflicts = conflictsOf(draft, compiled, datasets);
  const disagreements = disagreementsOf(statementsOf(draft, operandsOf(draft, compiled), datasets));
  if (gaps.length === 0 && conflicts.length === 0 && disagreements.length === 0) return null;
  const open = gaps.filter(({ value }) => value === null).map(({ name }) => name);
  const { bytes, steps } = costOf(draft, gaps, compiled, datasets);
  return (
    <section className="size-fields" aria-label="Sizes">
      {open.length > 0 && (
        <p>
          No input says {inWords(open)}.{' '}
          <button
            type="button"
            className="button"
            onClick={() => store.update({ kind: 'sizes', sizes: filledSizes(draft, gaps) })}
          >
            Use {open.length === 1 ? 'this number' : 'these numbers'}
          </button>
        </p>
      )}
      {conflicts.map(({ name, fixed, known }) => (
        <p key={name} className="complaint">
          An input has {formatCount(known)} of {name}, and the plan says {formatCount(fixed)}.{' '}
          <button
            type="button"
            className="link-button"
            onClick={() => store.update({ kind: 'sizes', sizes: withEntry(draft.sizes, name, null) })}
          >
            Use {formatCount(known)}
          </button>
        </p>
      ))}
      {disagreements.map(({ first, second }) => {
        const [changed, kept] = isFile(draft, second.by) ? [first, second] : [second, first];
        return (
          <p key={`${second.by} ${second.place}`} className="complaint">
            {first.by} has {formatCount(first.size)} of {first.dimension}, and {second.by} has{' '}
            {formatCount(second.size)}.{' '}
            {!isFile(draft, changed.by) && (
              <button
                type="button"
                className="link-button"
                onClick={() => store.update(resized(draft, changed, kept.size))}
              >
                Make {changed.by} {formatCount(kept.size)}
              </button>
            )}
          </p>
        );
      })}
      <div className="fields">
        {gaps.map(({ name, kind, value, proposed }) => (
          <NumberField
            key={name}
            of="The program"
            label={kind === 'size' ? `size ${name}` : name}
            value={value ?? proposed}
            integer
            minimum={kind === 'size' ? 1 : -LARGEST_SIZE}
            maximum={LARGEST_SIZE}
            onChange={(next) => {
              if (next !== null) store.update({ kind: 'sizes', sizes: { ...filledSizes(draft, gaps), [name]: next } });
            }}
          />
        ))}
      </div>
      <p className="caption muted">
        Operands of {formatBytes(bytes)}; {formatCount(steps)} steps for a statement over all sizes.
      </p>
    </section>
  );
}

const inWords = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
