/** The whole numbers of a schedule's text, which can be dragged: tiles, parts, factors. Pure. */
import { commentStart, parseLine } from './schedule-syntax';

const NUMBER = /(?<![\w.])\d+(?![\w.])/g;
/** A slider goes at least so far, and always beyond the number that is there. */
const LARGEST = 4096;

export interface ScheduleNumber {
  /** Offsets in the text. */
  readonly from: number;
  readonly to: number;
  readonly value: number;
  /** The command that it stands in, without its comment. */
  readonly command: string;
  readonly name: string;
  /** The variable that the command is for, or nothing. */
  readonly variable: string;
}

/** In the order of the text; numbers in comments are none. */
export function scheduleNumbers(text: string): ScheduleNumber[] {
  const numbers: ScheduleNumber[] = [];
  let start = 0;
  for (const content of text.split('\n')) {
    const command = content.slice(0, commentStart(content));
    const parsed = parseLine(content, 0, 0);
    for (const match of command.matchAll(NUMBER)) {
      const from = start + match.index;
      numbers.push({
        from,
        to: from + match[0].length,
        value: Number(match[0]),
        command: command.trim(),
        name: parsed?.name?.text ?? '',
        variable: parsed?.arguments[0]?.text ?? '',
      });
    }
    start += content.length + 1;
  }
  return numbers;
}

/** Commands that cut a loop: the tile that `extent` iterations are cut into. Null for the others. */
const TILES: Readonly<Record<string, (value: number, extent: number) => number>> = {
  split: (value) => value,
  divide: (parts, extent) => Math.ceil(extent / Math.max(parts, 1)),
  balance: (parts, extent) => Math.ceil(extent / Math.max(parts, 1)),
};

/** The numbers that say how large tiles are, or how many. */
export function tileNumbers(text: string): ScheduleNumber[] {
  return scheduleNumbers(text).filter(({ name }) => name in TILES);
}

/** The tile that the number makes of so many iterations. */
export function tileOf({ name, value }: ScheduleNumber, extent: number): number {
  return TILES[name]?.(value, extent) ?? value;
}

/** The text with another number in that place. */
export function withNumber(text: string, { from, to }: Pick<ScheduleNumber, 'from' | 'to'>, next: number): string {
  return text.slice(0, from) + String(next) + text.slice(to);
}

/** The stops of a slider: powers of two and what lies halfway between them, and the number itself. */
export function stopsFor(value: number): readonly number[] {
  const stops = new Set([value]);
  for (let power = 1; power <= Math.max(LARGEST, 4 * value); power *= 2) {
    stops.add(power);
    if (power > 1) stops.add(1.5 * power);
  }
  return [...stops].sort((one, other) => one - other);
}
