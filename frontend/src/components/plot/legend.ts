/** The names of a figure's lines: whether they fit above the plot, and what stands for each in a legend of the page. */
import type { PlotlyFigure } from '../../api/client';
import { interfaceWidth } from '../../viz/text-width';

type Trace = Readonly<Record<string, unknown>>;

export interface NamedLine {
  readonly name: string;
  /** Null: that of the text. */
  readonly colour: string | null;
  /** A line, marks on it or alone, or an area with a pattern. */
  readonly line: boolean;
  readonly bar: boolean;
  /** Dashes of the line, as in SVG. */
  readonly dashes: string;
  /** The outline of the mark or of the bar's pattern, inside a square of ±5; empty: none. */
  readonly outline: string;
}

/** Px of Plotly's legend: its letters, one of its lines, and what an entry has beside its name. */
const LETTERS = 12;
const SYMBOL = 48;
export const LEGEND_LINE = 20;

/** Names in more lines than that take the room of the plot: they stand in a legend of the page. Of few names two lines. */
const MOST_LINES = { few: 2, many: 1 };
const FEW = 4;

const DASHES: Readonly<Record<string, string>> = {
  dot: '2 2',
  dash: '6 3',
  longdash: '9 3',
  dashdot: '6 2 2 2',
  longdashdot: '9 2 2 2',
};

const OUTLINES: Readonly<Record<string, string>> = {
  circle: 'M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0Z',
  square: 'M-4 -4H4V4H-4Z',
  diamond: 'M0 -5L5 0L0 5L-5 0Z',
  x: 'M-4 -2L-2 -4L0 -2L2 -4L4 -2L2 0L4 2L2 4L0 2L-2 4L-4 2L-2 0Z',
  'triangle-up': 'M0 -5L5 4H-5Z',
  'triangle-down': 'M0 5L5 -4H-5Z',
  star: 'M0 -5L1.5 -1.5L5 -1.5L2.2 0.7L3.2 4.4L0 2.2L-3.2 4.4L-2.2 0.7L-5 -1.5L-1.5 -1.5Z',
  cross: 'M-1.5 -4.5H1.5V-1.5H4.5V1.5H1.5V4.5H-1.5V1.5H-4.5V-1.5H-1.5Z',
  hexagram: 'M0 -5L1.5 -2.5H4.5L3 0L4.5 2.5H1.5L0 5L-1.5 2.5H-4.5L-3 0L-4.5 -2.5H-1.5Z',
};

const PATTERNS: Readonly<Record<string, string>> = {
  '/': 'M-9 5L1 -5M-1 5L9 -5',
  '\\': 'M-9 -5L1 5M-1 -5L9 5',
  x: 'M-5 5L5 -5M-5 -5L5 5',
  '-': 'M-10 -2H10M-10 2H10',
  '|': 'M-4 -5V5M4 -5V5',
  '+': 'M-10 0H10M0 -5V5',
  '.': 'M-5 0h1M0 0h1M5 0h1',
};

const isObject = (value: unknown): value is Trace =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const partOf = (value: unknown): Trace => (isObject(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const named = (data: PlotlyFigure['data']): readonly Trace[] =>
  data.filter(({ name, showlegend }) => typeof name === 'string' && showlegend !== false);

/** As Plotly sets a horizontal legend: one line if all names fit into `room` px, else columns as wide as the longest. */
export function legendLines(data: PlotlyFigure['data'], room: number): number {
  const widths = named(data).map(({ name }) => interfaceWidth(textOf(name), LETTERS) + SYMBOL);
  if (widths.reduce((sum, width) => sum + width, 0) <= room) return 1;
  return Math.ceil(widths.length / Math.max(1, Math.floor(room / Math.max(...widths))));
}

/** What a legend of the page lists; nothing where the figure's own takes few lines of a plot that is `width` px wide. */
export function namesBeside(figure: PlotlyFigure, width: number): readonly NamedLine[] {
  const lines = named(figure.data).map(lineOf);
  const most = lines.length > FEW ? MOST_LINES.many : MOST_LINES.few;
  return figure.layout.showlegend === true && legendLines(figure.data, width - 72) > most ? lines : [];
}

function lineOf(trace: Trace): NamedLine {
  const [line, marker] = [partOf(trace.line), partOf(trace.marker)];
  const bar = trace.type === 'bar';
  const mode = textOf(trace.mode);
  const shape = bar ? textOf(partOf(marker.pattern).shape) : textOf(marker.symbol) || 'circle';
  const outlines = bar ? PATTERNS : OUTLINES;
  return {
    name: textOf(trace.name),
    colour: textOf(marker.color) || textOf(line.color) || null,
    line: !bar && (mode === '' || mode.includes('lines')),
    bar,
    dashes: DASHES[textOf(line.dash)] ?? '',
    outline:
      bar || mode === '' || mode.includes('markers') ? (outlines[shape.replace(/-open$|-thin-open$/, '')] ?? '') : '',
  };
}
