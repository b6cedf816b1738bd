import { describe, expect, it } from 'vitest';
import { arrange } from './pair';

const picture = (width: number, height: number) => ({ width, height, around: 60 });

describe('two pictures in one pane', () => {
  it('puts narrow pictures beside each other', () => {
    expect(arrange({ width: 540, height: 740 }, picture(263, 248), picture(233, 419))).toEqual({
      direction: 'beside',
      share: 0.5,
    });
  });

  it('shows both whole where a little more width for one does', () => {
    expect(arrange({ width: 472, height: 720 }, picture(263, 248), picture(233, 419))).toEqual({
      direction: 'beside',
      share: 0.53,
    });
  });

  it('gives a wide picture the whole width, and more of the height where it is higher', () => {
    expect(arrange({ width: 540, height: 740 }, picture(563, 468), picture(330, 206))).toEqual({
      direction: 'stacked',
      share: 0.65,
    });
  });

  it('puts wide pictures beside each other where the pane is wide and low', () => {
    expect(arrange({ width: 1200, height: 500 }, picture(563, 400), picture(330, 206)).direction).toBe('beside');
  });

  it('gives the wider of two pictures more of the width', () => {
    expect(arrange({ width: 540, height: 740 }, picture(200, 500), picture(310, 600))).toEqual({
      direction: 'beside',
      share: 0.47,
    });
  });
});
