import { useId, useMemo, useState } from 'react';
import type { CompileView } from '../../api/types';
import { extentOf, tilingOf } from '../../viz/space/cuts';
import type { Cut, Tiling } from '../../viz/space/cuts';
import { cutLines } from '../../viz/space/cut-lines';
import type { Frame } from '../../viz/space/frame';
import { MAX_SLICES } from '../../viz/space/grid';
import type { Grid, Slice } from '../../viz/space/grid';
import { CutTree } from './CutTree';
import { GridPicture } from './GridPicture';
import { InputCuts } from './InputCuts';
import { LoadHistogram } from './LoadHistogram';
import { TileSlider } from './TileSlider';
import { tileNumbers, tileOf } from '../../schedule/schedule-numbers';
import type { ScheduleNumber } from '../../schedule/schedule-numbers';
import { useSelect } from '../../state/store';
import { counted } from '../../text/quantities';
import { Explained } from '../../components/Term';

/** The tile that is shown of a plan without one. */
const UNCUT = 3;

interface Props {
  readonly result: CompileView;
  readonly grid: Grid;
}

/** Equal area or equal work: one cut over the grid, the tree of coordinates and the values (docs/sources.toml V5). */
export function CutsView({ result, grid }: Props) {
  const id = useId();
  const levels = result.tensors.find(({ name }) => name === grid.tensor)?.levels;
  const cuts = choicesOf(grid);
  const schedule = useSelect((state) => state.draft.schedule);
  const numbers = tileNumbers(schedule);
  const [chosen, setChosen] = useState(0);
  const number = numbers[chosen] ?? numbers[0];
  const [wished, setName] = useState<string | null>(null);
  const name = wished ?? usualCut(grid, number);
  const cut = cuts.find((choice) => choice.name === name)?.cut ?? { kind: 'nonzero-position' };
  const cells = useMemo(() => storedCells(grid), [grid]);
  // The first level's own dimension is what a "row" is: a column for CSC.
  const order = useMemo(() => {
    const own = [...new Set(levels?.map(({ dimension }) => dimension))];
    return own.length === grid.shape.length ? own : grid.shape.map((_, dimension) => dimension);
  }, [levels, grid]);
  const storage = useMemo(() => cells.map((at) => order.map((dimension) => at[dimension] ?? 0)), [cells, order]);
  const shape = order.map((dimension) => grid.shape[dimension] ?? 0);
  const all = levels?.[0]?.kind === 'dense';
  const own: Cut = cut.kind === 'coordinate' ? { ...cut, dimension: order.indexOf(cut.dimension) } : cut;
  const extent = extentOf(storage, shape, all ? 'all' : 'nonempty', own);
  const wanted = number === undefined ? UNCUT : tileOf(number, extent);
  const size = Math.min(Math.max(wanted, 1), Math.max(extent, 1));
  const tiling = tilingOf(storage, shape, all ? 'all' : 'nonempty', own, size);
  const rows = grid.variables[order[0] ?? 0] ?? '';
  const ratio = tiling.mean > 0 ? tiling.max / tiling.mean : 0;
  return (
    <>
      <div className="space-choices">
        <label htmlFor={`${id}-cut`}>Cut</label>
        <select id={`${id}-cut`} value={name} onChange={(event) => setName(event.target.value)}>
          {cuts.map((choice) => (
            <option key={choice.name} value={choice.name}>
              {choice.title}
            </option>
          ))}
        </select>
        {number !== undefined ? (
          <TileSlider numbers={numbers} number={number} onChoose={setChosen} />
        ) : (
          <span className="muted">into tiles of {size}, for the schedule has none</span>
        )}
      </div>
      <p
        className="space-summary"
        role="status"
        data-loads={tiling.tiles.map(({ members }) => members.length).join(' ')}
      >
        <Explained>
          {counted(tiling.tiles.length, 'tile')}; at most {counted(tiling.max, 'nonzero')} in one,{' '}
          {tiling.mean.toFixed(2)} on average: max / mean {ratio.toFixed(2)}. {straddleText(tiling, rows)}
          {wanted > extent && ` A tile of ${wanted} covers all ${extent} of this example.`}
        </Explained>
      </p>
      <div className="space-slices">
        {grid.slices.slice(0, MAX_SLICES).map((slice, number) => (
          <GridPicture
            key={number}
            grid={grid}
            slice={slice}
            label={`${grid.tensor} cut into ${counted(tiling.tiles.length, 'tile')}`}
            under={(frame) => <Tints frame={frame} slice={slice} cells={cells} tiling={tiling} />}
            over={(frame) =>
              grid.shape.length === 2 && (
                <>
                  <path
                    className="space-cut"
                    d={cutLines(frame, cells, tiling, cut, size, (order[0] ?? 0) === 0)}
                    aria-hidden="true"
                  />
                  {(order[0] ?? 0) === 0 && <Straddling frame={frame} rows={tiling.straddling} />}
                </>
              )
            }
          />
        ))}
        <LoadHistogram
          loads={tiling.tiles.map(({ members }) => members.length)}
          mean={tiling.mean}
          title="Nonzeros of each tile"
        />
      </div>
      <CutTree
        coordinates={cells}
        order={order}
        variables={grid.variables}
        extent={all ? (shape[0] ?? 0) : null}
        tiling={tiling}
      />
      <TileTable grid={grid} cells={cells} tiling={tiling} />
      <InputCuts result={result} tensor={grid.tensor} cut={cut} />
    </>
  );
}

/** The cut of the plan, as far as its text says: the coordinates of the variable that is split, else positions. */
function usualCut(grid: Grid, number: ScheduleNumber | undefined): string {
  const dimension = grid.variables.indexOf(number?.variable ?? '');
  return dimension < 0 ? 'nonzero-position' : `coordinate-${dimension}`;
}

function choicesOf(grid: Grid): { name: string; title: string; cut: Cut }[] {
  return [
    ...grid.variables.map((variable, dimension) => ({
      name: `coordinate-${dimension}`,
      title: `coordinates of ${variable}`,
      cut: { kind: 'coordinate' as const, dimension },
    })),
    { name: 'row-position', title: 'positions of the first level', cut: { kind: 'row-position' } },
    { name: 'nonzero-position', title: 'positions of the nonzeros', cut: { kind: 'nonzero-position' } },
  ];
}

/** The coordinates of the nonzeros, in storage order. */
function storedCells(grid: Grid): number[][] {
  return grid.slices
    .flatMap(({ at, cells }) =>
      cells.map((cell) => ({
        position: cell.position,
        at: grid.rowVariable === null ? [cell.column] : [...at, cell.row, cell.column],
      })),
    )
    .sort((one, other) => one.position - other.position)
    .map(({ at }) => at);
}

function straddleText({ straddling }: Tiling, variable: string): string {
  if (straddling.length === 0) return `No ${variable} is split across tiles: no two tiles write to the same position.`;
  const named = straddling.slice(0, 8).join(', ') + (straddling.length > 8 ? ' …' : '');
  return `${variable} = ${named} ${straddling.length === 1 ? 'is' : 'are'} split across tiles: their sums meet.`;
}

interface TintProperties {
  readonly frame: Frame;
  readonly slice: Slice;
  readonly cells: readonly (readonly number[])[];
  readonly tiling: Tiling;
}

/** The tile of each nonzero: a tint, a pattern by its position in the ramp, and its number where there is room. */
function Tints({ frame, slice, cells, tiling }: TintProperties) {
  const { left, top, cell } = frame;
  return (
    <g aria-hidden="true">
      {cells.map((at, index) => {
        const outer = at.slice(0, -2);
        if (at.length > 2 && outer.some((coordinate, dimension) => coordinate !== slice.at[dimension])) return null;
        const [row, column] = at.length === 1 ? [0, at[0] ?? 0] : [at.at(-2) ?? 0, at.at(-1) ?? 0];
        const tile = tiling.tileOf[index] ?? 0;
        return (
          <g key={index} className={`space-tile lane-${tile % 8}`}>
            <rect x={left + column * cell} y={top + row * cell} width={cell} height={cell} />
            {cell >= 26 && (
              <text x={left + column * cell + 3} y={top + row * cell + 11} className="space-tile-number">
                {tile}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** Rows that two tiles share carry a mark at their end. */
function Straddling({ frame, rows }: { readonly frame: Frame; readonly rows: readonly number[] }) {
  const { left, top, cell, columns } = frame;
  return (
    <g className="space-straddling" aria-hidden="true">
      {rows.map((row) => (
        <path key={row} d={`M${left + columns * cell + 1} ${top + (row + 0.5) * cell}l6 -4v8z`} />
      ))}
    </g>
  );
}

const ROWS = 200;

function TileTable({ grid, cells, tiling }: { grid: Grid; cells: readonly (readonly number[])[]; tiling: Tiling }) {
  const place = (index: number | undefined): string =>
    index === undefined ? '–' : `(${cells[index]?.join(', ') ?? ''})`;
  return (
    <details className="text-equivalent">
      <summary>As text</summary>
      <table>
        <caption className="visually-hidden">The tiles of {grid.tensor}</caption>
        <thead>
          <tr>
            <th scope="col">Tile</th>
            <th scope="col">Nonzeros</th>
            <th scope="col">First</th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {tiling.tiles.slice(0, ROWS).map(({ number, members }) => (
            <tr key={number}>
              <th scope="row">{number}</th>
              <td>{members.length}</td>
              <td>{place(members[0])}</td>
              <td>{place(members.at(-1))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {tiling.tiles.length > ROWS && <p className="muted">… and {counted(tiling.tiles.length - ROWS, 'more tile')}.</p>}
    </details>
  );
}
