/** Intervals over one line of whole numbers: where their bars begin and end, and where ticks stand. */
import type { StatementRangesView } from '../../api/types';

export interface Bar {
  /** Of which variable, and what held it there; null for what is left in the end. */
  readonly variable: string;
  readonly by: string | null;
  readonly start: number;
  readonly end: number;
}

export interface NumberLine {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  readonly bars: readonly Bar[];
}

/** More ticks do not fit beside one another. */
const MOST_TICKS = 11;

/** Each access's interval and, below these, the range of each variable; null where nothing has numbers. */
export function numberLine({ rounds, variables }: StatementRangesView): NumberLine | null {
  const bars: Bar[] = [];
  for (const { name, start, end } of variables) {
    for (const round of rounds) {
      if (round.variable !== name || round.start === null || round.end === null) continue;
      bars.push({
        variable: name,
        by: round.how === 'access' ? round.access : round.how,
        start: round.start,
        end: round.end,
      });
    }
    if (start !== null && end !== null) bars.push({ variable: name, by: null, start, end });
  }
  if (bars.length === 0) return null;
  const from = Math.min(0, ...bars.map(({ start }) => start));
  const to = Math.max(from + 1, ...bars.map(({ end }) => end));
  const step = Math.ceil((to - from) / (MOST_TICKS - 1));
  const ticks: number[] = [];
  for (let at = from; at <= to; at += step) ticks.push(at);
  return { from, to, ticks, bars };
}

/** What a bar says, for those who do not see it. */
export function barText({ variable, by, start, end }: Bar): string {
  const run = end > start ? `${start} … ${end - 1}` : 'nothing';
  return by === null ? `${variable} runs over ${run}` : `${by} leaves ${run} for ${variable}`;
}
