/** The point that a slider moves over the lines of a figure, and what the figure says there. */
import type { PlotlyFigure } from '../../api/client';

interface Reading {
  readonly name: string;
  readonly x: string | number;
  /** Null where there is no point, and the text says why. */
  readonly y: number | null;
  readonly text: string;
  readonly axis: string;
}

interface Drawn extends Reading {
  readonly y: number;
}

/**
 * What each line of the figure has at a value of the parameter, which figures have as a number or by its label. Lines
 * over something else say which value they are of, and are read where they end.
 */
export function readingsAt(figure: PlotlyFigure, value: number, label: string): readonly Reading[] {
  return figure.data.flatMap((line) => {
    const xs = Array.isArray(line.x) ? (line.x as readonly unknown[]) : [];
    const ys = Array.isArray(line.y) ? (line.y as readonly unknown[]) : [];
    const texts = Array.isArray(line.text) ? (line.text as readonly unknown[]) : [];
    const { of } = (line.meta ?? {}) as { readonly of?: unknown };
    const at = of === undefined ? xs.findIndex((x) => x === label || x === value) : of === label ? xs.length - 1 : -1;
    const [x, y] = [xs[at], ys[at]];
    if (typeof x !== 'string' && typeof x !== 'number') return [];
    const said = texts[at];
    const number = typeof y === 'number' ? y : null;
    const text = typeof said === 'string' ? said : number?.toPrecision(3);
    if (text === undefined) return [];
    return [{ name: String(line.name), x, y: number, text, axis: typeof line.yaxis === 'string' ? line.yaxis : 'y' }];
  });
}

/** The figure with a ring around each of the readings; of bars on top of each other, one around where they end. */
export function withRings(figure: PlotlyFigure, readings: readonly Reading[]): PlotlyFigure {
  const stacked = figure.layout.barmode === 'stack';
  const drawn = readings.filter((one): one is Drawn => one.y !== null);
  const rings = (stacked ? ends(drawn) : drawn).map(({ name, x, y, axis }) => ({
    type: 'scatter',
    name,
    x: [x],
    y: [y],
    yaxis: axis,
    mode: 'markers',
    marker: { size: 18, symbol: 'circle-open', color: '#808080', line: { width: 3 } },
    hoverinfo: 'skip',
    showlegend: false,
  }));
  return { ...figure, data: [...figure.data, ...rings] };
}

/** The sum of the readings on each axis. */
function ends(readings: readonly Drawn[]): readonly Drawn[] {
  const tops = new Map<string, Drawn>();
  for (const one of readings) tops.set(one.axis, { ...one, y: one.y + (tops.get(one.axis)?.y ?? 0) });
  return [...tops.values()];
}
