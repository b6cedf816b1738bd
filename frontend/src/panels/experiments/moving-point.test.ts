import { describe, expect, it } from 'vitest';
import { readingsAt, withRings } from './moving-point';

const figure = {
  data: [
    { name: 'rows', x: ['1', '1.01'], y: [10, 20], text: ['10 µs', '20 µs'] },
    { name: 'imbalance', x: ['1', '1.01'], y: [1, 1.8], yaxis: 'y2' },
    { name: 'by number', x: [1, 2], y: [7, 8] },
    { name: 'roof', x: [null], y: [null] },
  ],
  layout: {},
};

describe('the moving point of an experiment', () => {
  it('reads every line at a value, by its label or as a number', () => {
    const first = readingsAt(figure, 1, '1').map(({ name, text }) => [name, text]);
    expect(first).toEqual([
      ['rows', '10 µs'],
      ['imbalance', '1.00'],
      ['by number', '7.00'],
    ]);
    expect(readingsAt(figure, 1.01, '1.01').map(({ y }) => y)).toEqual([20, 1.8]);
    expect(readingsAt(figure, 3, '3')).toEqual([]);
  });

  it('reads lines over something else where those of the value end', () => {
    const sweeps = {
      data: [
        { name: 'noise 1', x: [1, 2], y: [0.5, 0.1], text: ['first', '0.1 after sweep 2'], meta: { of: '1' } },
        { name: 'noise 2', x: [1, 2], y: [0.5, 0.2], meta: { of: '2' } },
      ],
      layout: {},
    };
    expect(readingsAt(sweeps, 1, '1').map(({ x, text }) => [x, text])).toEqual([[2, '0.1 after sweep 2']]);
    expect(readingsAt(sweeps, 3, '3')).toEqual([]);
  });

  it('reads why a line has no point at a value, and puts no ring there', () => {
    const repaid = {
      data: [
        { name: 'hyb', x: ['cora', 'pubmed'], y: [20, null], text: ['20 products', 'no number pays'] },
        { name: 'csr', x: [], y: [], text: [] },
      ],
      layout: {},
    };
    const readings = readingsAt(repaid, 1, 'pubmed');
    expect(readings.map(({ name, text }) => [name, text])).toEqual([['hyb', 'no number pays']]);
    expect(withRings(repaid, readings).data).toHaveLength(2);
  });

  it('puts a ring on each, on the axis of its line, and leaves the figure as it is', () => {
    const ringed = withRings(figure, readingsAt(figure, 1.01, '1.01'));
    expect(ringed.data.slice(4).map((ring) => [ring.x, ring.y, ring.yaxis, ring.showlegend])).toEqual([
      [['1.01'], [20], 'y', false],
      [['1.01'], [1.8], 'y2', false],
    ]);
    expect(figure.data).toHaveLength(4);
  });

  it('puts one ring where bars on top of each other end', () => {
    const bars = {
      data: [
        { name: 'systems', x: ['atomic', 'rows'], y: [1, 2] },
        { name: 'MTTKRP', x: ['atomic', 'rows'], y: [30, 20] },
      ],
      layout: { barmode: 'stack' },
    };
    const rings = withRings(bars, readingsAt(bars, 1, 'rows')).data.slice(2);
    expect(rings.map(({ x, y }) => [x, y])).toEqual([[['rows'], [22]]]);
  });
});
