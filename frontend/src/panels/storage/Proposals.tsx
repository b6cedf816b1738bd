import type { FixView } from '../../api/types';
import { Prose } from '../../components/Prose';
import { useSelect, useStore } from '../../state/store';

/** Conversions that the compiler proposes for the plan as it is: what it would store in another way, and why. */
export default function Proposals() {
  const store = useStore();
  const diagnostics = useSelect((state) => state.compile.result?.diagnostics);
  const formats = useSelect((state) => state.draft.tensors);
  const proposals = (diagnostics ?? []).flatMap(({ message, fixes }) =>
    fixes.filter(changesFormats).map((fix) => ({ message, fix })),
  );
  if (proposals.length === 0) return null;
  return (
    <section className="storage-proposals" aria-label="Proposed conversions">
      <h3>Proposed conversions</h3>
      <ul>
        {proposals.map(({ message, fix }) => (
          <li key={fix.title}>
            <p>
              <Prose text={message} terms />
            </p>
            <p className="storage-conversion">
              {Object.entries(fix.formats ?? {}).map(([tensor, format]) => (
                <code key={tensor}>
                  {tensor}: {formats[tensor]?.format ?? 'dense'} → {format}
                </code>
              ))}
              <button type="button" className="button" onClick={() => store.update({ kind: 'fix', fix })}>
                <Prose text={fix.title} />
              </button>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const changesFormats = (fix: FixView): boolean => Object.keys(fix.formats ?? {}).length > 0;
