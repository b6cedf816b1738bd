import { useEffect, useRef } from 'react';
import type { PreviewView } from '../../../api/types';
import { useDark } from '../../../state/media';
import { fullestOf, shadeOf } from '../../../viz/preview';
import { formatCount } from '../../../text/quantities';

interface Props {
  readonly raster: NonNullable<PreviewView['raster']>;
  readonly shape: readonly number[];
  readonly name: string;
}

const LONGEST = 168;

/** Where the nonzeros lie, in bins: the darker, the more. */
export function SpyPlot({ raster, shape, name }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = useDark();
  const { counts, row_step, column_step } = raster;
  const down = counts.length;
  const across = counts[0]?.length ?? 0;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || !canvas.current || down === 0 || across === 0) return;
    const ink = getComputedStyle(canvas.current).color;
    const fullest = fullestOf(counts);
    context.clearRect(0, 0, across, down);
    context.fillStyle = ink;
    counts.forEach((row, y) =>
      row.forEach((count, x) => {
        context.globalAlpha = shadeOf(count, fullest);
        if (count > 0) context.fillRect(x, y, 1, 1);
      }),
    );
  }, [counts, down, across, dark]);
  const rows = shape.length > 1 ? (shape[shape.length - 2] ?? 1) : 1;
  const columns = shape[shape.length - 1] ?? 1;
  const scale = LONGEST / Math.max(rows, columns, 1);
  const bin =
    row_step === 1 && column_step === 1
      ? 'one cell each'
      : `${formatCount(row_step)} × ${formatCount(column_step)} cells each`;
  const of = shape.length > 2 ? 'the last two dimensions' : 'the nonzeros';
  return (
    <figure className="preview-spy">
      <canvas
        ref={canvas}
        width={across}
        height={down}
        style={{ width: Math.max(rows === 1 ? LONGEST : columns * scale, 12), height: Math.max(rows * scale, 12) }}
        role="img"
        aria-label={`Where the nonzeros of ${name} lie; the sentences below say the same in numbers`}
      />
      <figcaption className="caption muted">
        Where {of} lie, in bins of {bin}
      </figcaption>
    </figure>
  );
}
