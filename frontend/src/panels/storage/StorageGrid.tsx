import { useMemo } from 'react';
import type { StorageDensityView } from '../../api/types';
import { gridOf, MAX_SLICES } from '../../viz/storage/grid';
import type { GridCell, GridSlice } from '../../viz/storage/grid';
import { binKey } from '../../viz/storage/keys';
import type { StorageModel } from '../../viz/storage/marks';
import './elements.css';
import { counted } from '../../text/quantities';

interface Props {
  readonly name: string;
  readonly model: StorageModel;
  /** Index variables by dimension. */
  readonly dimensions: readonly string[];
}

/** The tensor as a grid of cells; large ones as a raster that counts entries. */
export default function StorageGrid({ name, model, dimensions }: Props) {
  const { density } = model.tensor;
  return (
    <section className="storage-part" aria-label="Grid">
      <h3>{density ? 'Where the entries are' : 'Grid'}</h3>
      {density ? (
        <Raster density={density} dimensions={dimensions} shape={model.tensor.shape} />
      ) : (
        <Cells name={name} model={model} dimensions={dimensions} />
      )}
    </section>
  );
}

function Cells({ name, model, dimensions }: Props) {
  const grid = useMemo(() => gridOf(model.tensor), [model]);
  const leading = dimensions.slice(0, -2);
  return (
    <>
      <div className="storage-slices">
        {grid.slices.map((slice) => (
          <Slice key={slice.at.join(' ')} slice={slice} title={sliceTitle(leading, slice.at)} name={name} />
        ))}
      </div>
      {grid.count > MAX_SLICES && (
        <p className="muted caption">
          The first {MAX_SLICES} of {grid.count.toLocaleString('en')} slices.
        </p>
      )}
      <p className="muted caption">
        <span className="storage-sample" data-entry="true">
          6
        </span>{' '}
        entry{' '}
        <span className="storage-sample" data-entry="false">
          0
        </span>{' '}
        stored padding <span className="storage-sample">·</span> not stored
      </p>
    </>
  );
}

const sliceTitle = (dimensions: readonly string[], at: readonly number[]): string =>
  at.map((coordinate, index) => `${dimensions[index] ?? index} = ${coordinate}`).join(', ');

function Slice({ slice, title, name }: { readonly slice: GridSlice; readonly title: string; readonly name: string }) {
  const first = slice.rows.flat().find(({ stored }) => stored !== null)?.key;
  return (
    <div className="storage-slice">
      {title !== '' && <h4>{title}</h4>}
      <div
        className="storage-grid"
        role="group"
        aria-label={title === '' ? `Cells of ${name}` : title}
        data-elements=""
      >
        <div className="storage-grid-row" aria-hidden="true">
          <span className="storage-axis" />
          {slice.rows[0]?.map((_, column) => (
            <span key={column} className="storage-axis">
              {column}
            </span>
          ))}
        </div>
        {slice.rows.map((row, index) => (
          <div className="storage-grid-row" key={index}>
            <span className="storage-axis" aria-hidden="true">
              {slice.rows.length > 1 ? index : ''}
            </span>
            {row.map((cell) => (
              <Cell key={cell.key} cell={cell} name={name} first={cell.key === first} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function Cell({ cell, name, first }: { readonly cell: GridCell; readonly name: string; readonly first: boolean }) {
  const { stored } = cell;
  if (stored === null)
    return (
      <span className="storage-cell" aria-hidden="true">
        ·
      </span>
    );
  const what = stored.entry ? '' : ', padding';
  return (
    <span
      className="storage-cell"
      role="img"
      tabIndex={first ? 0 : -1}
      aria-label={`${name}(${cell.coordinates.join(',')}) = ${stored.value}${what}, position ${stored.position}`}
      data-key={cell.key}
      data-entry={stored.entry}
    >
      {stored.text}
    </span>
  );
}

interface RasterProps {
  readonly density: StorageDensityView;
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
}

const BIN = 9;

function Raster({ density, dimensions, shape }: RasterProps) {
  const { counts, row_dimension: row, column_dimension: column, row_step: height, column_step: width } = density;
  const most = Math.max(1, ...counts.flat());
  const name = (dimension: number): string => dimensions[dimension] ?? `dimension ${dimension + 1}`;
  const size = (row === null ? '' : `${height.toLocaleString('en')} × `) + width.toLocaleString('en');
  const summed = shape.length > 2 ? `, added up over ${dimensions.slice(0, -2).join(', ')}` : '';
  const axes = row === null ? name(column) : `${name(row)} down, ${name(column)} to the right`;
  const words = `Each square counts the entries among ${size} cells (${axes}${summed}); the fullest holds ${most.toLocaleString('en')}.`;
  return (
    <figure className="storage-raster">
      <svg role="img" aria-label={words} width={(counts[0]?.length ?? 0) * BIN} height={counts.length * BIN}>
        {counts.map((bins, y) =>
          bins.map((count, x) => (
            <rect
              key={`${y} ${x}`}
              data-key={binKey(y, x)}
              x={x * BIN}
              y={y * BIN}
              width={BIN - 1}
              height={BIN - 1}
              style={{ fillOpacity: count === 0 ? 0.05 : 0.25 + 0.75 * (count / most) }}
            >
              <title>{counted(count, 'entry', 'entries')}</title>
            </rect>
          )),
        )}
      </svg>
      <figcaption className="muted caption">{words}</figcaption>
    </figure>
  );
}
