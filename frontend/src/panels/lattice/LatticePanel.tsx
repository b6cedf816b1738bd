import { useMemo, useState } from 'react';
import type { CompileView, LatticeView, MergeStepView, TraceView } from '../../api/types';
import { linkId, useLinked } from '../../state/links';
import { scalarsOf } from '../../viz/trace-values';
import { usePlayback } from '../../state/use-playback';
import { useStore } from '../../state/store';
import { keyOf, setLabel } from '../../viz/lattice/points';
import { mergeAt, mergesOf, stripsAt } from '../../viz/lattice/strips';
import { DataPicker } from '../../components/data/DataPicker';
import { PlaybackBar } from '../../components/playback/PlaybackBar';
import HasseDiagram from './HasseDiagram';
import './lattice.css';
import LatticeTable from './LatticeTable';
import StripsPicture from './StripsPicture';
import VennDiagram from './VennDiagram';
import { Explained } from '../../components/Term';

/** Which sets of operands a merge tells apart, and the merge itself, played on small data (docs/sources.toml V6). */
export default function LatticePanel({ result }: { readonly result: CompileView }) {
  const [wished, setWished] = useState<string | null>(null);
  const trace = usePlayback((state) => state.trace);
  const { lattices } = result;
  // The lattice with the most to show comes first; a person may choose another.
  const largest = [...lattices].sort((one, other) => other.points.length - one.points.length)[0];
  const lattice = lattices.find(({ variable }) => variable === wished) ?? largest;
  return (
    <section className="lattice-panel" aria-label="Merge lattice">
      <DataPicker result={result} />
      <PlaybackBar />
      {lattice === undefined ? (
        <p className="panel-message muted">
          <Explained>
            Nothing is merged: every loop runs over all coordinates, or over the positions of one tensor. Try a = b * c
            + d with three sparse vectors.
          </Explained>
        </p>
      ) : (
        <>
          {lattices.length > 1 && (
            <label className="lattice-choice">
              Merge at{' '}
              <select value={lattice.variable} onChange={(event) => setWished(event.target.value)}>
                {lattices.map(({ variable }) => (
                  <option key={variable}>{variable}</option>
                ))}
              </select>
            </label>
          )}
          <Lattice key={lattice.variable} result={result} lattice={lattice} trace={trace} />
        </>
      )}
    </section>
  );
}

interface Properties {
  readonly result: CompileView;
  readonly lattice: LatticeView;
  readonly trace: TraceView | null;
}

function Lattice({ result, lattice, trace }: Properties) {
  const { playback } = useStore();
  const index = usePlayback((state) => state.index);
  const merges = useMemo(() => (trace === null ? [] : mergesOf(trace, lattice.variable)), [trace, lattice]);
  const values = useMemo(() => (trace === null ? null : scalarsOf(trace)), [trace]);
  const at = mergeAt(merges, index);
  const now = merges[at];
  const strips = useMemo(
    () => (trace === null || values === null ? null : stripsAt(result, trace, lattice, merges, at, values)),
    [result, trace, lattice, merges, at, values],
  );
  const seek = (to: number): void => {
    const merge = merges[to];
    playback.pause();
    if (merge) playback.seek(merge.step);
  };
  const loop = now === undefined ? null : keyOf(now.loop);
  const active = now?.active ? keyOf(now.active) : null;
  const here = strips?.strips
    .filter((strip) =>
      strip.cells.some((cell) => cell.position === strip.position && cell.coordinate === strips.coordinate),
    )
    .map((strip) => strip.operand);
  return (
    <>
      <div className="lattice-steps" role="group" aria-label={`Iterations of the merge at ${lattice.variable}`}>
        <button type="button" className="button" disabled={at <= 0} onClick={() => seek(at - 1)}>
          Previous iteration
        </button>
        <button type="button" className="button" disabled={at >= merges.length - 1} onClick={() => seek(at + 1)}>
          Next iteration
        </button>
        <p role="status" data-active={active ?? ''} data-iteration={at + 1}>
          {describe(now, at, merges.length, strips?.coordinate ?? null, lattice)}
        </p>
      </div>
      {strips !== null && <StripsPicture lattice={lattice} strips={strips} />}
      <div className="lattice-pictures">
        <HasseDiagram lattice={lattice} loop={loop} active={active} />
        <VennDiagram lattice={lattice} here={now === undefined ? null : keyOf(here ?? [])} />
      </div>
      <Where now={now} variable={lattice.variable} />
      <LatticeTable lattice={lattice} merges={merges} at={at} />
    </>
  );
}

function describe(
  now: MergeStepView | undefined,
  at: number,
  count: number,
  coordinate: number | null,
  lattice: LatticeView,
): string {
  if (now === undefined)
    return count === 0 ? 'This merge has no iterations in the run.' : 'Before the first iteration.';
  const done =
    now.active === null
      ? undefined
      : lattice.points.find((point) => keyOf(point.iterators) === keyOf(now.active ?? []));
  const what =
    now.active === null
      ? 'no case holds, nothing is computed'
      : `the case ${setLabel(now.active)} computes ${done?.expression ?? ''}`;
  const place = coordinate === null ? '' : `${lattice.variable} = ${coordinate}, `;
  return `Iteration ${at + 1} of ${count}: ${place}in the loop of ${setLabel(now.loop)}, ${what}.`;
}

/** The lines of the code that run now. */
function Where({ now, variable }: { readonly now: MergeStepView | undefined; readonly variable: string }) {
  const { props } = useLinked(linkId.variable(variable));
  if (now === undefined || now.c_line === null) return null;
  const branch = now.branch_c_line === null ? '' : `, its branch from line ${now.branch_c_line}`;
  return (
    <p className="lattice-where">
      <button type="button" {...props}>
        {variable}
      </button>{' '}
      The loop stands in line {now.c_line} of the C code{branch}.
    </p>
  );
}
