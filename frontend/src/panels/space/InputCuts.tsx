import { useEffect, useId, useState } from 'react';
import { cutIntoTiles, isAbort, toProblem } from '../../api/client';
import type { CompileView, TilesRequest, TilesView } from '../../api/types';
import { DiagnosticList } from '../../components/DiagnosticList';
import { NumberField } from '../../components/NumberField';
import { inputBlock, sourceOf } from '../../state/data/example-data';
import { useSelect, useStore } from '../../state/store';
import type { Cut } from '../../viz/space/cuts';
import { viridis } from '../../viz/space/viridis';
import { LoadHistogram } from './LoadHistogram';
import { counted } from '../../text/quantities';
import type { InputSpec } from '../../plan/plan';

interface Props {
  readonly result: CompileView;
  readonly tensor: string;
  readonly cut: Cut;
}

/** Moving a slider asks once it rests. */
const PAUSE_MS = 150;

/** Cuts of the real data of the plan: counted by the service, drawn as a raster (docs/sources.toml V5). */
export function InputCuts({ result, tensor, cut }: Props) {
  const input = useSelect((state) => state.draft.inputs[tensor]);
  if (input === undefined)
    return <p className="muted">{tensor} has no input in Run yet; choose one there to cut the real data.</p>;
  return <RealCuts key={tensor} result={result} tensor={tensor} cut={cut} input={input} />;
}

function RealCuts({ result, tensor, cut, input }: Props & { readonly input: InputSpec }) {
  const { playback } = useStore();
  const id = useId();
  const [size, setSize] = useState(64);
  const { view, said } = useTiles(result, tensor, cut, input, size);
  const tiling = view?.tiling ?? null;
  const block = view === null ? null : inputBlock(view);
  return (
    <section className="space-real" aria-labelledby={id}>
      <p id={id} className="space-heading">
        The whole input{view === null ? '' : `: ${view.source}`}
      </p>
      <div className="space-choices">
        <NumberField
          label="Tiles of"
          value={size}
          minimum={1}
          maximum={2 ** 31 - 1}
          integer
          onChange={(next) => setSize(next ?? size)}
        />
        {block !== null && (
          <button
            type="button"
            className="button"
            onClick={() => playback.pick({ ...block, source: sourceOf(tensor, input) })}
          >
            Step through its densest block
          </button>
        )}
      </div>
      {said !== null && <p className="panel-message">{said}</p>}
      {view !== null && <DiagnosticList label="What the cut says" diagnostics={view.diagnostics} />}
      {view !== null && tiling !== null && (
        <>
          <p className="space-summary" data-tiles={tiling.tiles} data-nonzeros={view.nonzeros}>
            {view.shape.join(' × ')} with {counted(view.nonzeros, 'nonzero')} in {counted(tiling.tiles, 'tile')}: at
            most {tiling.max.toLocaleString('en')} in one, {tiling.mean.toFixed(2)} on average, max / mean{' '}
            {tiling.mean > 0 ? (tiling.max / tiling.mean).toFixed(2) : '–'}. {tiling.straddling.toLocaleString('en')}{' '}
            coordinates of the first level are split across tiles.
          </p>
          <div className="space-slices">
            <Raster view={view} />
            <LoadHistogram loads={tiling.loads} mean={tiling.mean} title="Nonzeros of each tile" each={tiling.group} />
          </div>
        </>
      )}
    </section>
  );
}

function useTiles(
  result: CompileView,
  tensor: string,
  cut: Cut,
  input: Readonly<Record<string, unknown>>,
  size: number,
): { readonly view: TilesView | null; readonly said: string | null } {
  const known = result.tensors.find(({ name }) => name === tensor);
  const request = {
    tensor,
    order: known?.order ?? 1,
    format: known?.format ?? 'dense',
    dtype: known?.dtype ?? 'float64',
    input,
    cut: cut.kind,
    dimension: cut.kind === 'coordinate' ? cut.dimension : 0,
    size,
  };
  const asked = JSON.stringify(request);
  const [answer, setAnswer] = useState<{ view: TilesView | null; said: string | null }>({ view: null, said: null });
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      cutIntoTiles(JSON.parse(asked) as TilesRequest, controller.signal)
        .then((view) => setAnswer({ view, said: null }))
        .catch((error: unknown) => {
          if (!isAbort(error)) setAnswer({ view: null, said: toProblem(error).title });
        });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [asked]);
  return answer;
}

/** Nonzeros counted in bins; the darkest bin is the emptiest that is not empty. */
function Raster({ view }: { readonly view: TilesView }) {
  const counts = view.raster?.counts ?? [];
  const most = Math.max(1, ...counts.flat());
  const columns = counts[0]?.length ?? 0;
  const cell = Math.max(4, Math.floor(256 / Math.max(counts.length, columns, 1)));
  // One path for each colour: a raster has thousands of bins.
  const paths = new Map<string, string>();
  counts.forEach((row, y) =>
    row.forEach((count, x) => {
      if (count === 0) return;
      const colour = viridis(count / most);
      const mark = `M${x * cell} ${y * cell}h${cell}v${cell}h${-cell}z`;
      paths.set(colour, (paths.get(colour) ?? '') + mark);
    }),
  );
  const { row_step: down = 1, column_step: across = 1 } = view.raster ?? {};
  return (
    <figure className="space-grid">
      <figcaption>
        {down === 1 && across === 1
          ? 'Nonzeros; '
          : `Aggregated: one square stands for ${down} × ${across} coordinates${view.shape.length > 2 ? ' of the last two dimensions' : ''}; `}
        1 … {most} nonzeros from dark to light
      </figcaption>
      <svg
        className="space-raster"
        width={columns * cell}
        height={counts.length * cell}
        viewBox={`0 0 ${columns * cell} ${counts.length * cell}`}
        role="img"
        aria-label={`${view.nonzeros} nonzeros counted in ${counts.length} × ${columns} squares, at most ${most} in one`}
      >
        {[...paths].map(([colour, path]) => (
          <path key={colour} d={path} fill={colour} />
        ))}
      </svg>
    </figure>
  );
}
