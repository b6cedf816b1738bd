/** The text of a format from its levels, as the level builder changes them. */
import type { FormatPresetView, LevelChoiceView, LevelNumberView, StorageLevelView } from '../../api/types';

export interface BuiltLevel {
  readonly kind: string;
  /** Whether its coordinates may be unordered, and may repeat. */
  readonly properties: boolean;
  readonly ordered: boolean;
  readonly unique: boolean;
  readonly number: LevelNumberView | null;
  /** What comes after the number. */
  readonly further: readonly string[];
  /** 0-based. */
  readonly dimension: number;
}

export const builtLevels = (levels: readonly StorageLevelView[]): BuiltLevel[] =>
  levels.map(({ kind, ordered, unique, further, dimension, choices }) => {
    const own = choices.find((choice) => choice.kind === kind);
    const { properties, number } = own ?? { properties: false, number: null };
    return { kind, properties, ordered, unique, number, further, dimension };
  });

/** E.g. `csr`, `sell(16,64)`, `dense, compressed(nonunique), singleton : 1,0,2`; a preset's name where one has these
 * levels, with other numbers after it where it has numbers. */
export function formatText(levels: readonly BuiltLevel[], presets: readonly FormatPresetView[]): string {
  const words = levels.map(levelText);
  const order = levels.map(({ dimension }) => dimension);
  const natural = order.every((dimension, index) => dimension === index);
  const text = words.join(', ') + (natural ? '' : ` : ${order.join(',')}`);
  const preset = presets.find((one) =>
    one.order === null
      ? natural && one.text.split(', ').length === 1 && words.every((word) => word === one.text)
      : one.order === new Set(order).size && withoutNumbers(one.text) === withoutNumbers(text),
  );
  if (preset === undefined) return text;
  const counted = levels.flatMap(({ number }) => (number === null ? [] : [number]));
  const blocks = counted.filter(({ counts }) => counts === 'block');
  const numbers = [...blocks, ...counted.filter((number) => !blocks.includes(number))].map(({ value }) => value);
  return numbers.length > 0 ? `${stem(preset.name)}(${numbers.join(',')})` : preset.name;
}

/** Whether a format's text is a preset's name with numbers, whichever they are. */
export const isNumbered = (text: string, { name }: FormatPresetView): boolean =>
  name.includes('(') && withoutNumbers(text.replaceAll(' ', '')) === withoutNumbers(name);

const stem = (name: string): string => name.split('(')[0] ?? name;

/** Numbers in parentheses stand for any others; the order of the dimensions has none. */
const withoutNumbers = (text: string): string => text.replace(/\d+(?=[^()]*\))/g, '#');

function levelText({ kind, ordered, unique, number, further }: BuiltLevel): string {
  const counted = number === null ? [] : [String(number.value)];
  const inside = [...counted, ...further, ordered ? '' : 'unordered', unique ? '' : 'nonunique'];
  const flags = inside.filter(Boolean);
  return flags.length > 0 ? `${kind}(${flags.join(',')})` : kind;
}

/**
 * A level gets another kind. A singleton stores one coordinate for each position of the level above, whose coordinates
 * must therefore repeat; without a singleton below they need not.
 */
export function withKind(
  levels: readonly BuiltLevel[],
  index: number,
  { kind, properties, number }: LevelChoiceView,
): BuiltLevel[] {
  const changed = levels.map((level, at) =>
    at === index
      ? { ...level, kind, properties, number, further: [], ...(properties ? {} : { ordered: true, unique: true }) }
      : level,
  );
  return changed.map((level, at) => {
    if (!level.properties || (at !== index && at !== index - 1)) return level;
    if (changed[at + 1]?.kind === 'singleton') return { ...level, unique: false };
    const wasAbove = at === index - 1 && levels[index]?.kind === 'singleton';
    return wasAbove ? { ...level, unique: true } : level;
  });
}

export const withProperty = (
  levels: readonly BuiltLevel[],
  index: number,
  part: Partial<Pick<BuiltLevel, 'ordered' | 'unique'>>,
): BuiltLevel[] => levels.map((level, at) => (at === index ? { ...level, ...part } : level));

/** The number after a level becomes `value`. */
export const withNumber = (levels: readonly BuiltLevel[], index: number, value: number): BuiltLevel[] =>
  levels.map((level, at) => (at === index && level.number ? { ...level, number: { ...level.number, value } } : level));

/** The dimensions in the order in which they are first stored. */
export const storedOrder = (levels: readonly BuiltLevel[]): number[] => [
  ...new Set(levels.map(({ dimension }) => dimension)),
];

/**
 * A dimension moves to another place in the order of the dimensions; the kinds stay where they are. A dimension that is
 * stored in parts moves with all of them.
 */
export function withDimensionMoved(levels: readonly BuiltLevel[], dimension: number, place: number): BuiltLevel[] {
  const order = storedOrder(levels);
  if (place < 0 || place >= order.length) return [...levels];
  const moved = order.filter((one) => one !== dimension);
  moved.splice(place, 0, dimension);
  return levels.map((level) => ({
    ...level,
    dimension: moved[order.indexOf(level.dimension)] ?? level.dimension,
  }));
}
