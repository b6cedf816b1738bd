/** What may stand at the end of a format that is being written as a sum of parts. */
import type { FormatPresetView, QuantityView } from '../../api/types';

export interface Completion {
  readonly label: string;
  /** The whole text with it. */
  readonly text: string;
  readonly summary: string;
}

const TEST = /\b(?:where|and)\s+([a-z]*)$/i;
const PART = /\+\s*([a-z0-9-]*)$/i;

/** Comparisons to begin with, each a whole test. */
const BEGUN: Readonly<Record<string, string>> = {
  slot: '< 4',
  tile: '>= 8',
  diagonal: 'in -1..1',
  depth: '>= 50',
};
const NUMBERS: Readonly<Record<string, string>> = { c: '2', w: '8', a: '4', b: '4', d: '0' };

/** None where the text does not end behind `where`, `and` or `+`. */
export function completionsOf(
  text: string,
  order: number,
  presets: readonly FormatPresetView[],
  quantities: readonly QuantityView[],
): readonly Completion[] {
  const test = TEST.exec(text);
  if (test !== null) {
    const [, begun = ''] = test;
    return quantities
      .filter(({ name, matrices }) => name.startsWith(begun.toLowerCase()) && (order === 2 || !matrices))
      .map(({ name, spelled, summary }) => {
        const numbered = spelled.replace(/\(([^)]*)\)/, (_, names: string) => {
          return `(${names
            .split(',')
            .map((one) => NUMBERS[one] ?? '1')
            .join(',')})`;
        });
        const whole = `${numbered} ${BEGUN[name] ?? '<= 4'}`;
        return { label: spelled, text: text.slice(0, text.length - begun.length) + whole, summary };
      });
  }
  const part = PART.exec(text);
  if (part === null) return [];
  const [, begun = ''] = part;
  return presets
    .filter(
      ({ name, order: own }) => name !== begun && name.startsWith(begun.toLowerCase()) && (own ?? order) === order,
    )
    .map(({ name, summary }) => ({ label: name, text: text.slice(0, text.length - begun.length) + name, summary }));
}
