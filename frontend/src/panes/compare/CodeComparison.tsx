import { useMemo, useState } from 'react';
import type { CompileView } from '../../api/types';
import { useLayout } from '../../state/media';
import CodeListing from '../../components/code/CodeListing';
import { textsOf } from '../../components/code/code-texts';
import { sideBySide } from './lines';
import type { Column } from './lines';
import type { Side } from './use-sides';
import { counted } from '../../text/quantities';

/** The code of both plans with the lines that differ; on narrow pages both in one text. */
export default function CodeComparison({ left, right }: { readonly left: Side; readonly right: Side }) {
  const wide = useLayout() === 'wide';
  const [text, setText] = useState('target');
  const found = useMemo(() => compareTexts(left.view, right.view, text), [left.view, right.view, text]);
  if (found === null) {
    return <p className="panel-message muted">The code appears when both plans compile.</p>;
  }
  const { common, chosen, both } = found;
  const same = both.added === 0 && both.removed === 0;
  return (
    <div className="compare-code">
      <div className="compare-tools">
        <label>
          Text{' '}
          <select value={chosen.id} onChange={(event) => setText(event.target.value)}>
            {common.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <p role="status">
          {same
            ? 'Both plans have the same code.'
            : `${counted(both.removed, 'line')} only in ${left.name} (−), ${counted(both.added, 'line')} only in ${right.name} (+), ignoring indentation`}
        </p>
      </div>
      <div className={wide ? 'compare-listings' : 'compare-listings compare-unified'}>
        {wide ? (
          <>
            <Listing level column={both.left} label={`${chosen.title} code of ${left.name}`} title={left.name} />
            <Listing level column={both.right} label={`${chosen.title} code of ${right.name}`} title={right.name} />
          </>
        ) : (
          <Listing column={both.unified} label={`${chosen.title} code of both plans`} title="" />
        )}
      </div>
    </div>
  );
}

/** The texts that both plans have, and the two of the wanted one; null where there is none. */
function compareTexts(left: CompileView | null, right: CompileView | null, wanted: string) {
  const [mine, yours] = [left === null ? [] : textsOf(left), right === null ? [] : textsOf(right)];
  const common = yours.filter(({ id }) => mine.some((one) => one.id === id));
  const chosen = common.find(({ id }) => id === wanted) ?? common[0];
  const other = mine.find(({ id }) => id === chosen?.id);
  return other && chosen ? { common, chosen, both: sideBySide(other.code, chosen.code) } : null;
}

interface ListingProps {
  readonly column: Column;
  readonly label: string;
  readonly title: string;
  /** Beside the other one, line by line. */
  readonly level?: boolean;
}

function Listing({ column, label, title, level = false }: ListingProps) {
  const [line, setLine] = useState<number | null>(null);
  return (
    <div className="compare-listing">
      {title !== '' && <h3>{title}</h3>}
      <CodeListing
        code={column.code}
        label={label}
        current={line}
        onCurrent={setLine}
        marks={column.marks}
        numbers={column.numbers}
        level={level}
      />
    </div>
  );
}
