import type { CompileView, PatternView } from '../../api/types';
import { linkId, useLinked } from '../../state/links';
import './patterns.css';

/** The patterns of a program as data go through them: what each makes stands on the way to the next. */
export default function PatternTree({ result }: { readonly result: CompileView }) {
  const rows = result.patterns?.tree ?? [];
  if (rows.length === 0) return <p className="panel-message muted">This program has no patterns.</p>;
  return (
    <section className="pattern-panel" aria-label="Pattern tree">
      <p className="caption muted">
        Data flow from top to bottom; each arrow shows their type. The function of a pattern is indented below it. Point
        at a pattern to light its loops in the code; press it to keep them lit.
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
  const { pinned, props } = useLinked(row.variables.map(linkId.variable));
  if (row.variables.length === 0) return <span className="pattern-box">{said(row)}</span>;
  return (
    <button type="button" className="pattern-box" aria-pressed={pinned} {...props}>
      {said(row)}
    </button>
  );
}

function said({ place, pattern, text }: PatternView) {
  const unit = UNITS[pattern];
  return (
    <>
      <b>{place}</b> <code>{text}</code>
      {unit !== undefined && <span className="pattern-unit">{unit}</span>}
    </>
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
