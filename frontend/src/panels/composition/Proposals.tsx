import type { StoredPartsView } from '../../api/types';
import { useStore } from '../../state/store';
import { proposalsFor } from '../../viz/composition/proposals';

interface Props {
  readonly name: string;
  readonly text: string;
  readonly stored: StoredPartsView;
}

/** Where a tensor is stored in one part: sums of parts to try, made of its own rows. */
export function Proposals({ name, text, stored }: Props) {
  const store = useStore();
  return (
    <p className="composition-proposals">
      {`${name} is stored in one part, as ${text.trim() === '' ? 'dense' : text.trim()}. Try it as a sum of parts: `}
      {proposalsFor(stored).map((format, index) => (
        <span key={format}>
          {index > 0 && ' '}
          <button
            type="button"
            className="button"
            onClick={() => store.update({ kind: 'format', tensor: name, text: format })}
          >
            <code>{format}</code>
          </button>
        </span>
      ))}
    </p>
  );
}
