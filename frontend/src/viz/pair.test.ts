import { describe, expect, it } from 'vitest';
import type { Size } from './fitting';
import { arrange, type Picture } from './pair';

type Sides = readonly [number, number];

const sized = ([width, height]: Sides): Size => ({ width, height });

const picture = (first: Sides, ...others: readonly Sides[]): Picture => ({
  drawings: [sized(first), ...others.map(sized)],
  around: 60,
});

describe('two pictures in one pane', () => {
  it('puts narrow pictures beside each other', () => {
    expect(arrange({ width: 540, height: 740 }, picture([263, 248]), picture([233, 419]))).toEqual({
      direction: 'beside',
      share: 0.5,
      both: true,
    });
  });

  it('shows both whole where a little more width for one does', () => {
    expect(arrange({ width: 472, height: 720 }, picture([263, 248]), picture([233, 419]))).toEqual({
      direction: 'beside',
      share: 0.53,
      both: true,
    });
  });

  it('gives a wide picture the whole width, and more of the height where it is higher', () => {
    expect(arrange({ width: 540, height: 740 }, picture([563, 430]), picture([330, 206]))).toEqual({
      direction: 'stacked',
      share: 0.65,
      both: true,
    });
  });

  it('puts wide pictures beside each other where the pane is wide and low', () => {
    expect(arrange({ width: 1200, height: 500 }, picture([563, 400]), picture([330, 206])).direction).toBe('beside');
  });

  it('gives the wider of two pictures more of the width', () => {
    expect(arrange({ width: 540, height: 740 }, picture([200, 500]), picture([310, 600]))).toEqual({
      direction: 'beside',
      share: 0.47,
      both: true,
    });
  });

  it('draws a picture more tightly before it leaves the other out', () => {
    const pane = { width: 497, height: 400 };
    const loops = picture([508, 508], [380, 330], [300, 260]);
    expect(arrange(pane, loops, picture([429, 301], [250, 210], [180, 180]))).toEqual({
      direction: 'beside',
      share: 0.56,
      both: true,
    });
    expect(arrange(pane, loops, picture([429, 301], [400, 250])).both).toBe(false);
  });
});
