/** Gives a figure of the service the ink and the lines of the page; the colours of its data stay. */
import type { PlotlyFigure } from '../../api/client';

export interface PlotColours {
  readonly ink: string;
  readonly line: string;
}

/** The page gives the size, and the template would bring its own background. */
const REPLACED = new Set(['width', 'height', 'template', 'annotations']);

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The room above the plot that a figure asks for, in pixels. */
const topOf = (margin: unknown): number => (isObject(margin) && typeof margin.t === 'number' ? margin.t : 0);

export function themed(figure: PlotlyFigure, { ink, line }: PlotColours, fontFamily: string): PlotlyFigure {
  const layout = Object.fromEntries(Object.entries(figure.layout).filter(([key]) => !REPLACED.has(key)));
  const axes = Object.entries(layout).filter(([key]) => /^[xy]axis\d*$/.test(key));
  const axis = { gridcolor: line, linecolor: line, zerolinecolor: line, tickcolor: line, automargin: true };
  const base = { xaxis: axis, yaxis: axis };
  return {
    data: figure.data,
    layout: {
      ...layout,
      ...base,
      ...Object.fromEntries(axes.map(([key, value]) => [key, { ...(isObject(value) ? value : {}), ...axis }])),
      autosize: true,
      paper_bgcolor: 'transparent',
      plot_bgcolor: 'transparent',
      margin: { t: Math.max(layout.showlegend === true ? 76 : 40, topOf(layout.margin)), r: 16, b: 40, l: 56 },
      title: {
        ...(isObject(layout.title) ? layout.title : { text: layout.title ?? '' }),
        font: { size: 13 },
        x: 0,
        xref: 'container',
        xanchor: 'left',
        pad: { l: 8 },
      },
      font: { ...(isObject(layout.font) ? layout.font : {}), color: ink, family: fontFamily, size: 12 },
    },
  };
}
