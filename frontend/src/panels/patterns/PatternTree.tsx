import type { CompileView, PatternView } from '../../api/types';
import './patterns.css';

/** The patterns of a program as data go through them: what each makes stands on the way to the next. */
export default function PatternTree({ result }: { readonly result: CompileView }) {
  const rows = result.patterns?.tree ?? [];
  if (rows.length === 0) return <p className="panel-message muted">This program has no patterns.</p>;
  return (
    <section className="pattern-panel" aria-label="Pattern tree">
      <p className="caption muted">
        Data flow from top to bottom; each arrow shows their type. The function of a pattern is indented below it.
      </p>
      <div className="pattern-scroll" role="region" aria-label="Patterns" tabIndex={0}>
        <ol className="pattern-rows">
          {rows.map((row) => (
            <li key={row.place} style={{ paddingLeft: 12 + row.depth * 28 }} data-place={row.place}>
              <Box row={row} />
              {row.type !== '' && (
                <span className="pattern-edge">
                  <span aria-hidden="true">↓ </span>
                  <code>{row.type}</code>
                </span>
              )}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function Box({ row }: { readonly row: PatternView }) {
  const unit = UNITS[row.pattern];
  return (
    <span className="pattern-box">
      <b>{row.place}</b> <code>{row.text}</code>
      {unit !== undefined && <span className="pattern-unit">{unit}</span>}
    </span>
  );
}

/** Where a map runs, if it says so. */
const UNITS: Readonly<Record<string, string>> = {
  mapSeq: 'one after another',
  mapUnroll: 'unrolled',
  mapPar: 'threads',
  mapVec: 'lanes',
  mapGlobal: 'all threads of the GPU',
  mapWorkgroup: 'work-groups',
  mapLocal: 'threads of a work-group',
  mapWarp: 'warps',
  mapLane: 'lanes of a warp',
  toGlobal: 'memory',
  toLocal: 'memory of a work-group',
  toPrivate: 'registers',
};
