/** What a level stores of its dimension, in words. A blocked dimension has a level for the blocks and one for the places
 * inside them; a dimension whose slots are numbered has a level for these and one for the coordinates in them. */
import type { BuiltLevel } from './build-format';

export interface LevelPart {
  /** E.g. `i / 8`. */
  readonly text: string;
  /** E.g. `the blocks of dimension i`. */
  readonly said: string;
}

export function levelPart(levels: readonly BuiltLevel[], index: number, variables: readonly string[]): LevelPart {
  const level = levels[index];
  const variable = variables[level?.dimension ?? 0] ?? String(level?.dimension);
  const size = blockSize(level);
  if (size !== null) return { text: `${variable} mod ${size}`, said: `dimension ${variable} inside its blocks` };
  const below = levels.slice(index + 1).find(({ dimension }) => dimension === level?.dimension);
  if (below === undefined) return { text: variable, said: `dimension ${variable}` };
  const blocks = blockSize(below);
  return blocks === null
    ? { text: `slot of ${variable}`, said: `the slots of dimension ${variable}` }
    : { text: `${variable} / ${blocks}`, said: `the blocks of dimension ${variable}` };
}

const blockSize = (level: BuiltLevel | undefined): number | null =>
  level?.number?.counts === 'block' ? level.number.value : null;

/** A sentence for each dimension that is stored in parts, and for each window. */
export function partsExplained(levels: readonly BuiltLevel[], variables: readonly string[]): string[] {
  return levels.flatMap(({ dimension, number }, index) => {
    const variable = variables[dimension] ?? String(dimension);
    const { text } = levelPart(levels, index, variables);
    const sentences: string[] = [];
    if (number?.counts === 'block')
      sentences.push(
        `${variable} is stored in blocks of ${number.value}: ${variable} / ${number.value} is the block, ${text} the place inside it.`,
      );
    if (number?.counts === 'window')
      sentences.push(
        `Among every ${number.value} ${variable}, those with similar numbers of entries are stored side by side.`,
      );
    if (text.startsWith('slot'))
      sentences.push(`Each slot of ${variable} has room for one coordinate, which the last level stores.`);
    return sentences;
  });
}
