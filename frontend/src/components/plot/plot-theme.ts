/** Gives a figure of the service the ink and the lines of the page; the colours of its data stay. */
import type { PlotlyFigure } from '../../api/client';
import { interfaceWidth } from '../../viz/text-width';
import { LEGEND_LINE, legendLines } from './legend';

export interface PlotColours {
  readonly ink: string;
  readonly line: string;
}

/** The page gives the size, and the template would bring its own background. */
const REPLACED = new Set(['width', 'height', 'template', 'annotations']);

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Px of the parts of a title above the plot: its letters and lines. */
const TITLE = { size: 13, line: 18, above: 10 };

/** Between decades Plotly writes one small digit, unless an axis says how its numbers look. */
const LOGARITHMIC = { tickformat: '~g' };

/** A title in lines that fit into `room` px, as Plotly breaks them. */
export function inLines(title: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of title.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && interfaceWidth(longer, TITLE.size) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** `width` is what the page has for the figure, in px; how much room its title and names need follows from it. */
export function themed(
  figure: PlotlyFigure,
  { ink, line }: PlotColours,
  fontFamily: string,
  width = Infinity,
): PlotlyFigure {
  const layout = Object.fromEntries(Object.entries(figure.layout).filter(([key]) => !REPLACED.has(key)));
  const axes = Object.entries(layout).filter(([key]) => /^[xy]axis\d*$/.test(key));
  const axis = { gridcolor: line, linecolor: line, zerolinecolor: line, tickcolor: line, automargin: true };
  const base = { xaxis: axis, yaxis: axis };
  const dressed = (value: unknown): Json => {
    const own = isObject(value) ? value : {};
    return { ...(own.type === 'log' && own.ticktext === undefined ? LOGARITHMIC : {}), ...own, ...axis };
  };
  const { title } = layout;
  const words = isObject(title) ? title.text : title;
  const lines = inLines(typeof words === 'string' ? words : '', width - 24);
  const legend = layout.showlegend === true ? LEGEND_LINE * legendLines(figure.data, width - 72) : 0;
  const top = Math.max(legend > 0 ? 76 : 40, TITLE.above + TITLE.line * lines.length + legend + 8);
  return {
    data: figure.data,
    layout: {
      ...layout,
      ...base,
      ...Object.fromEntries(axes.map(([key, value]) => [key, dressed(value)])),
      autosize: true,
      paper_bgcolor: 'transparent',
      plot_bgcolor: 'transparent',
      margin: { t: top, r: 16, b: 40, l: 56 },
      title: {
        ...(isObject(title) ? title : {}),
        text: lines.join('<br>'),
        font: { size: TITLE.size },
        x: 0,
        xref: 'container',
        xanchor: 'left',
        y: 1,
        yref: 'container',
        yanchor: 'top',
        // Plotly sets the middle of several lines where that of one would be.
        pad: { l: 8, t: TITLE.above + ((lines.length - 1) * TITLE.line) / 2 },
      },
      font: { ...(isObject(layout.font) ? layout.font : {}), color: ink, family: fontFamily, size: 12 },
    },
  };
}
