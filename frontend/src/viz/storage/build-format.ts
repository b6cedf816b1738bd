/** The text of a format from its levels, as the level builder changes them. */
import type { FormatPresetView, StorageLevelView } from '../../api/types';

export interface BuiltLevel {
  readonly kind: string;
  readonly ordered: boolean;
  readonly unique: boolean;
  /** 0-based. */
  readonly dimension: number;
}

export const builtLevels = (levels: readonly StorageLevelView[]): BuiltLevel[] =>
  levels.map(({ kind, ordered, unique, dimension }) => ({ kind, ordered, unique, dimension }));

/** E.g. `csr`, `dense, compressed(nonunique), singleton : 1,0,2`; a preset's name where one has these levels. */
export function formatText(levels: readonly BuiltLevel[], presets: readonly FormatPresetView[]): string {
  const words = levels.map(levelText);
  const order = levels.map(({ dimension }) => dimension);
  const natural = order.every((dimension, index) => dimension === index);
  const text = words.join(', ') + (natural ? '' : ` : ${order.join(',')}`);
  const preset = presets.find((one) =>
    one.order === null
      ? natural && one.text.split(', ').length === 1 && words.every((word) => word === one.text)
      : one.order === levels.length && one.text === text,
  );
  return preset?.name ?? text;
}

function levelText({ kind, ordered, unique }: BuiltLevel): string {
  const flags = [ordered ? '' : 'unordered', unique ? '' : 'nonunique'].filter(Boolean);
  return flags.length > 0 ? `${kind}(${flags.join(',')})` : kind;
}

/**
 * A level gets another kind. A singleton stores one coordinate for each position of the level above, whose coordinates
 * must therefore repeat; without a singleton below they need not.
 */
export function withKind(levels: readonly BuiltLevel[], index: number, kind: string): BuiltLevel[] {
  const changed = levels.map((level, number) =>
    number === index ? { ...level, kind, ...(kind === 'dense' ? { ordered: true, unique: true } : {}) } : level,
  );
  return changed.map((level, number) => {
    if (level.kind === 'dense' || (number !== index && number !== index - 1)) return level;
    if (changed[number + 1]?.kind === 'singleton') return { ...level, unique: false };
    const wasAbove = number === index - 1 && levels[index]?.kind === 'singleton';
    return wasAbove ? { ...level, unique: true } : level;
  });
}

export const withProperty = (
  levels: readonly BuiltLevel[],
  index: number,
  part: Partial<Pick<BuiltLevel, 'ordered' | 'unique'>>,
): BuiltLevel[] => levels.map((level, number) => (number === index ? { ...level, ...part } : level));

/** The dimension of one level moves to another level; the kinds stay where they are. */
export function withDimensionMoved(levels: readonly BuiltLevel[], from: number, to: number): BuiltLevel[] {
  const dimensions = levels.map(({ dimension }) => dimension);
  const [moved] = dimensions.splice(from, 1);
  if (moved === undefined || to < 0 || to >= levels.length) return [...levels];
  dimensions.splice(to, 0, moved);
  return levels.map((level, index) => ({ ...level, dimension: dimensions[index] ?? level.dimension }));
}
