import { useState } from 'react';
import type { MemoryView } from '../../api/types';
import { useSelect, useStore } from '../../state/store';
import { withLength } from './layout';

interface Props {
  readonly view: MemoryView;
  /** The text that the view is of, to which its places belong. */
  readonly text: string;
  readonly lengths: readonly number[];
  readonly onChange: (lengths: readonly number[]) => void;
}

const MOST = 12;

/** The length of a row as the type says it, which is a part of the program; and where data say it, that of each row. */
export function LengthEditor({ view, text, lengths, onChange }: Props) {
  const store = useStore();
  const [typed, setTyped] = useState<string | null>(null);
  // While the text is another one, its places are not known.
  const stale = useSelect((state) => state.draft.expression !== text);
  const [start = 0, end = 0] = view.spans[0] ?? [];
  const spelled = text.slice(start, end);
  const write = (): void => {
    const length = (typed ?? '').trim();
    setTyped(null);
    if (!stale && length !== '' && length !== spelled)
      store.update({ kind: 'expression', text: withLength(text, view.spans, length) });
  };
  return (
    <div className="memory-lengths">
      <label>
        Length of row {view.variable}{' '}
        <input
          className="code-input"
          value={typed ?? spelled}
          readOnly={stale}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={write}
          onKeyDown={(event) => {
            if (event.key === 'Enter') write();
          }}
        />
      </label>
      {view.data && (
        <fieldset>
          <legend>Lengths in the example</legend>
          {lengths.map((length, row) => (
            <label key={row}>
              {`row ${row} `}
              <input
                type="number"
                min={0}
                max={MOST}
                value={length}
                onChange={(event) => {
                  const next = Math.max(0, Math.min(MOST, Math.trunc(Number(event.target.value))));
                  onChange(lengths.map((one, place) => (place === row ? next : one)));
                }}
              />
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}
