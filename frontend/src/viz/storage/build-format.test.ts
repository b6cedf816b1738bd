import { describe, expect, it } from 'vitest';
import type { FormatPresetView, LevelChoiceView } from '../../api/types';
import { formatText, isNumbered, withDimensionMoved, withKind, withNumber, withProperty } from './build-format';
import type { BuiltLevel } from './build-format';
import { levelPart, partsExplained } from './level-parts';

const preset = (name: string, order: number | null, text: string): FormatPresetView => ({
  name,
  order,
  text,
  summary: '',
});
const PRESETS = [
  preset('dense', null, 'dense'),
  preset('csr', 2, 'dense, compressed'),
  preset('csc', 2, 'dense, compressed : 1,0'),
  preset('bcsr(4,4)', 2, 'dense, compressed, dense(4), dense(4) : 0,1,0,1'),
  preset('sell(8)', 2, 'dense, slots, dense(8), optional : 0,1,0,1'),
  preset('sell(8,64)', 2, 'sorted(64), slots, dense(8), optional : 0,1,0,1'),
  preset('csb(64,64)', 2, 'dense, dense, compressed(64,nonunique), singleton(64) : 0,1,0,1'),
  preset('csf', null, 'compressed'),
];

const LISTING = ['compressed', 'singleton'];
const choice = (kind: string, counts?: 'block' | 'window' | 'parts', value = 0): LevelChoiceView => ({
  kind,
  properties: LISTING.includes(kind),
  number: counts === undefined ? null : { counts, value, most: 1024 },
});
const level = (dimension: number, ...given: Parameters<typeof choice>): BuiltLevel => ({
  ...choice(...given),
  ordered: true,
  unique: true,
  further: [],
  dimension,
});

const CSR = [level(0, 'dense'), level(1, 'compressed')];
const BCSR = [level(0, 'dense'), level(1, 'compressed'), level(0, 'dense', 'block', 4), level(1, 'dense', 'block', 2)];
const SELL = [level(0, 'sorted', 'window', 64), level(1, 'slots'), level(0, 'dense', 'block', 8), level(1, 'optional')];

describe('the text of levels', () => {
  it('is a name where they have one, and spells out any other', () => {
    expect(formatText(CSR, PRESETS)).toBe('csr');
    expect(formatText(withDimensionMoved(CSR, 0, 1), PRESETS)).toBe('csc');
    expect(formatText(withKind(CSR, 0, choice('compressed')), PRESETS)).toBe('csf');
    expect(formatText(withKind(CSR, 1, choice('dense')), PRESETS)).toBe('dense');
    expect(formatText(withProperty(CSR, 1, { ordered: false }), PRESETS)).toBe('dense, compressed(unordered)');
    expect(formatText(withDimensionMoved(withKind(CSR, 0, choice('compressed')), 1, 0), PRESETS)).toBe(
      'compressed, compressed : 1,0',
    );
  });

  it('keeps what stands behind a number, until the level gets another kind', () => {
    const even = [
      { ...level(0, 'parts', 'parts', 8), further: ['even'] },
      level(0, 'compressed'),
      level(1, 'compressed'),
    ];
    expect(formatText(even, PRESETS)).toBe('parts(8,even), compressed, compressed : 0,0,1');
    expect(formatText(withNumber(even, 0, 4), PRESETS)).toBe('parts(4,even), compressed, compressed : 0,0,1');
    expect(formatText(withKind(even, 0, choice('dense')), PRESETS)).toBe('dense, compressed, compressed : 0,0,1');
    const blocks = [
      level(0, 'dense'),
      level(1, 'dense'),
      level(0, 'compressed', 'block', 4),
      level(1, 'singleton', 'block', 2),
    ];
    expect(formatText(withProperty(blocks, 2, { unique: false }), PRESETS)).toBe('csb(4,2)');
  });

  it('has the numbers of blocks and windows behind the name, sizes first', () => {
    expect(formatText(BCSR, PRESETS)).toBe('bcsr(4,2)');
    expect(formatText(withNumber(BCSR, 3, 16), PRESETS)).toBe('bcsr(4,16)');
    expect(formatText(SELL, PRESETS)).toBe('sell(8,64)');
    expect(formatText(withNumber(withNumber(SELL, 2, 16), 0, 128), PRESETS)).toBe('sell(16,128)');
    expect(formatText(withKind(SELL, 0, choice('dense')), PRESETS)).toBe('sell(8)');
    expect(formatText(withKind(SELL, 3, choice('runs')), PRESETS)).toBe('sorted(64), slots, dense(8), runs : 0,1,0,1');
    expect(formatText(withKind(BCSR, 0, choice('compressed')), PRESETS)).toBe(
      'compressed, compressed, dense(4), dense(2) : 0,1,0,1',
    );
  });

  it('knows a name by its stem and how many numbers it has', () => {
    const [sell, sorted] = [preset('sell(8)', 2, ''), preset('sell(8,64)', 2, '')];
    expect([isNumbered('sell(16)', sell), isNumbered('sell(16, 32)', sorted)]).toEqual([true, true]);
    expect([isNumbered('sell(16,32)', sell), isNumbered('csr', preset('csr', 2, ''))]).toEqual([false, false]);
  });
});

describe('a change of levels', () => {
  it('lets the coordinates above a singleton repeat, and takes that back', () => {
    const coo = withKind(withKind(CSR, 0, choice('compressed')), 1, choice('singleton'));
    expect(formatText(coo, PRESETS)).toBe('compressed(nonunique), singleton');
    expect(formatText(withKind(coo, 1, choice('compressed')), PRESETS)).toBe('csf');
    expect(withKind(withKind(CSR, 1, choice('singleton')), 0, choice('compressed'))).toEqual(coo);
  });

  it('keeps levels without properties as they are', () => {
    const coo = withKind(withKind(CSR, 0, choice('compressed')), 1, choice('singleton'));
    expect(formatText(withKind(coo, 0, choice('bitmap')), PRESETS)).toBe('bitmap, singleton');
  });

  it('moves a dimension with all its parts, and nowhere past the ends', () => {
    expect(formatText(withDimensionMoved(BCSR, 1, 0), PRESETS)).toBe('dense, compressed, dense(4), dense(2) : 1,0,1,0');
    const cube = [0, 1, 2].map((dimension) => level(dimension, 'compressed'));
    expect(withDimensionMoved(cube, 0, 2).map(({ dimension }) => dimension)).toEqual([1, 2, 0]);
    expect(withDimensionMoved(CSR, 0, -1)).toEqual(CSR);
    expect(withDimensionMoved(BCSR, 1, 2)).toEqual(BCSR);
  });
});

describe('what a level stores', () => {
  const said = (levels: readonly BuiltLevel[]) =>
    levels.map((_, index) => levelPart(levels, index, ['i', 'j'])).map(({ text, said }) => [text, said]);

  it('is a dimension, its blocks, the places inside them, or slots', () => {
    expect(said(CSR)).toEqual([
      ['i', 'dimension i'],
      ['j', 'dimension j'],
    ]);
    expect(said(SELL)).toEqual([
      ['i / 8', 'the blocks of dimension i'],
      ['slot of j', 'the slots of dimension j'],
      ['i mod 8', 'dimension i inside its blocks'],
      ['j', 'dimension j'],
    ]);
  });

  it('is explained where a dimension is stored in parts', () => {
    expect(partsExplained(CSR, ['i', 'j'])).toEqual([]);
    expect(partsExplained(SELL, ['i', 'j'])).toEqual([
      'Among every 64 i, those with similar numbers of entries are stored side by side.',
      'Each slot of j has room for one coordinate, which the last level stores.',
      'i is stored in blocks of 8: i / 8 is the block, i mod 8 the place inside it.',
    ]);
  });
});
