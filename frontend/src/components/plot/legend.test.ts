import { describe, expect, it } from 'vitest';
import { LEGEND_LINE, legendLines, namesBeside } from './legend';
import { themed } from './plot-theme';

const MODELS = ['rows', 'tiles of 16', 'buckets'];
const data = ['cora', 'citeseer'].flatMap((graph) =>
  MODELS.map((series, place) => ({
    name: `${graph}, ${series}`,
    type: 'scatter',
    mode: 'lines+markers',
    line: { color: '#e69f00', dash: place === 0 ? undefined : 'dot' },
    marker: { symbol: 'square' },
  })),
);
const title = { text: 'Time of SDDMM on graphs' };
const many = { data, layout: { showlegend: true, title, margin: { t: 150 } } };
const few = { data: data.slice(0, 2), layout: many.layout };
const WIDTHS = [1400, 1000, 560, 480, 330];

describe('the names of the lines of a figure', () => {
  it('stand above the plot where they take one line, two of few names, and beside it where they would take its room', () => {
    for (const width of WIDTHS) {
      const beside = namesBeside(many, width).map(({ name }) => name);
      const lines = legendLines(many.data, width - 72);
      expect(beside).toEqual(lines === 1 ? [] : data.map(({ name }) => name));
      expect(namesBeside(few, width)).toEqual([]);
    }
    const four = { data: data.slice(0, 4), layout: many.layout };
    expect([1400, 560, 330].map((width) => namesBeside(many, width).length)).toEqual([0, 6, 6]);
    expect([1400, 560, 330].map((width) => namesBeside(four, width).length)).toEqual([0, 0, 4]);
    expect(namesBeside({ data, layout: {} }, 330)).toEqual([]);
  });

  it('leave the plot as much room, however many they are and whatever the service kept free for its own pictures', () => {
    const above = (figure: typeof many, width: number): number => {
      const beside = namesBeside(figure, width).length > 0;
      const { layout } = themed(
        beside ? { ...figure, layout: { ...figure.layout, showlegend: false } } : figure,
        { ink: '', line: '' },
        'sans',
        width,
      );
      return (layout.margin as { t: number }).t;
    };
    for (const width of WIDTHS) expect(above(many, width)).toBeLessThanOrEqual(40 + 2 * LEGEND_LINE);
    expect(above(few, 1000)).toBe(76);
  });

  it('are listed with what is drawn: colour, dashes and mark of a line, pattern of a bar', () => {
    const [first, dotted] = namesBeside(many, 330);
    expect(first).toMatchObject({ name: 'cora, rows', colour: '#e69f00', line: true, bar: false, dashes: '' });
    expect(dotted).toMatchObject({ dashes: '2 2', outline: first?.outline });
    const bars = ['/', '', 'x'].map((shape, place) => ({
      name: `a phase with a long name ${place}`,
      type: 'bar',
      marker: { color: '#0072b2', pattern: { shape } },
    }));
    const marks = { name: 'marks', mode: 'markers', marker: { symbol: 'square-open', color: ['#000', '#fff'] } };
    const ring = { name: 'ring', showlegend: false };
    const listed = namesBeside({ data: [...bars, marks, ring], layout: { showlegend: true } }, 330);
    expect(listed.map(({ line, bar, outline }) => [line, bar, outline !== ''])).toEqual([
      [false, true, true],
      [false, true, false],
      [false, true, true],
      [false, false, true],
    ]);
    expect(listed.map(({ colour }) => colour)).toEqual(['#0072b2', '#0072b2', '#0072b2', null]);
  });
});
