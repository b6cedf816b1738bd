/** The numbers of a Plotly figure as comma-separated values: one line for each mark of each trace. */
import type { PlotlyFigure } from '../../api/client';

type Trace = Readonly<Record<string, unknown>>;

const COLUMNS = ['series', 'x', 'y', 'above', 'below', 'text'] as const;

export function figureCsv(figure: PlotlyFigure): string {
  const rows = figure.data.flatMap((trace) => rowsOf(trace, figure.layout));
  const used = COLUMNS.filter((_, place) => rows.some((row) => row[place] !== ''));
  const kept = COLUMNS.map((name) => used.includes(name));
  const lines = [[...COLUMNS], ...rows].map((row) =>
    row
      .filter((_, place) => kept[place])
      .map(cell)
      .join(','),
  );
  return `${lines.join('\r\n')}\r\n`;
}

function rowsOf(trace: Trace, layout: PlotlyFigure['layout']): string[][] {
  const [x, y] = [named(trace.x, layout.xaxis), named(middles(trace), layout.yaxis)];
  const text = listOf(trace.text);
  const errors = errorsOf(trace.error_y ?? trace.error_x);
  return Array.from({ length: Math.max(x.length, y.length) }, (_, place) => [
    textOf(trace.name),
    textOf(x[place]),
    textOf(y[place]),
    textOf(errors.above[place]),
    textOf(errors.below[place]),
    textOf(text[place]),
  ]).filter(([, ...values]) => values[0] !== '' || values[1] !== '');
}

/** Where marks stand: a bar that does not begin at zero (a cell of a heat map) stands at its middle. */
function middles({ y, base }: Trace): unknown {
  if (!Array.isArray(base)) return y;
  const heights = listOf(y);
  return base.map((from, place) => Number(from) + Number(heights[place]) / 2);
}

/** Coordinates; where an axis writes names at its ticks, the names. */
function named(values: unknown, axis: unknown): readonly unknown[] {
  const { tickvals, ticktext } = (axis ?? {}) as Trace;
  const [ticks, names] = [listOf(tickvals), listOf(ticktext)];
  return listOf(values).map((value) => {
    const place = ticks.indexOf(value);
    const name = place < 0 ? undefined : names[place];
    return typeof name === 'string' ? name.split('<br>')[0] : value;
  });
}

function errorsOf(error: unknown): { above: readonly unknown[]; below: readonly unknown[] } {
  const { array, arrayminus } = (error ?? {}) as Trace;
  return { above: listOf(array), below: listOf(arrayminus) };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

const textOf = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';

/** Quoted where it must be. A text that a spreadsheet would take for a formula gets an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+@\t\r]/.test(text) || (text.startsWith('-') && Number.isNaN(Number(text))) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
