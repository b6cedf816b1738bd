/** The log of a search as the page draws it: candidates by generation, and what became of each. */

export interface Gene {
  readonly name: string;
  readonly values: readonly (string | number)[];
  readonly meaning: string;
}

export interface Candidate {
  readonly id: number;
  readonly generation: number;
  readonly origin: string;
  /** The hash of its plan. */
  readonly plan: string;
  readonly parents: readonly number[];
  readonly sources: readonly number[];
  readonly mutated: readonly number[];
  readonly genes: readonly number[];
  readonly schedule: readonly string[];
  readonly formats: Readonly<Record<string, string>>;
  readonly seconds: number | null;
  readonly reason: string;
  /** Of operands as they are stored, results and workspaces; null where it is not known, and older logs say nothing. */
  readonly bytes?: number | null;
}

export interface Generation {
  readonly number: number;
  readonly evaluations: number;
  readonly best: number | null;
  readonly refused: Readonly<Record<string, number>>;
}

export interface Finalist {
  readonly label: string;
  readonly role: string;
  readonly plan: string | null;
  readonly schedule: readonly string[];
  readonly formats: Readonly<Record<string, string>>;
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly samples: number;
  readonly tie: boolean;
  readonly ratio: Interval;
  /** What is judged of it beside the fastest, in words; logs of before do not say. */
  readonly statement?: string;
}

export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Final {
  readonly entries: readonly Finalist[];
  readonly gain: (Interval & { readonly statement?: string }) | null;
  readonly control: (Interval & { readonly quiet: boolean }) | null;
}

export interface Search {
  readonly plan: Readonly<Record<string, unknown>>;
  readonly strategy: string;
  readonly seed: number;
  readonly points: number;
  readonly genes: readonly Gene[];
  readonly candidates: readonly Candidate[];
  readonly generations: readonly Generation[];
  readonly timed: number;
  /** Of every schedule that was timed, in their order: seconds, or null where it could not be. */
  readonly times: readonly (number | null)[];
  readonly final: Final | null;
}

type Line = Readonly<Record<string, unknown>>;

const of = (lines: readonly Line[], event: string): readonly unknown[] =>
  lines.filter((line) => line['event'] === event);

/** Null until the log has its header. The service wrote the lines, and checks them when it reads them. */
export function readSearch(lines: readonly Line[]): Search | null {
  const header = of(lines, 'header')[0] as (Search & Line) | undefined;
  if (header === undefined) return null;
  const finished = of(lines, 'candidate') as readonly Candidate[];
  const generations = of(lines, 'generation') as readonly Generation[];
  const seen = new Set(finished.map(({ plan }) => plan));
  // Those of the generation that is under way: whose children they are stands in the log when it is complete.
  const timed = of(lines, 'timed') as readonly Candidate[];
  const underWay = timed
    .filter(({ plan }) => !seen.has(plan))
    .map((one, place) => ({
      ...one,
      id: finished.length + place,
      generation: generations.length,
      origin: 'under way',
      parents: [],
      sources: [],
      mutated: [],
    }));
  return {
    plan: header.plan,
    strategy: header.strategy,
    seed: header.seed,
    points: header.points,
    genes: header.genes,
    candidates: [...finished, ...underWay],
    generations,
    timed: timed.length,
    times: timed.map(({ seconds }) => seconds),
    final: (of(lines, 'final')[0] as Final | undefined) ?? null,
  };
}

/** The search as it was behind its first `count` generations. */
export function upTo(search: Search, count: number): Search {
  return {
    ...search,
    generations: search.generations.slice(0, count),
    candidates: search.candidates.filter(({ generation }) => generation < count || count === search.generations.length),
  };
}

/** The fastest time up to each generation, in seconds. */
export function bestSoFar(search: Search): readonly (number | null)[] {
  let best: number | null = null;
  return search.generations.map(({ number }) => {
    for (const one of search.candidates) {
      if (one.generation === number && one.seconds !== null && (best === null || one.seconds < best))
        best = one.seconds;
    }
    return best;
  });
}

export interface Inherited {
  readonly gene: Gene;
  readonly value: string;
  /** The place among the parents, null for a gene that was drawn anew or belongs to nobody. */
  readonly from: number | null;
  readonly mutated: boolean;
}

/** Each gene of a candidate, and which parent it came from. */
export function inheritance(search: Search, one: Candidate): readonly Inherited[] {
  return search.genes.map((gene, place) => {
    const mutated = one.mutated.includes(place);
    const single = one.parents.length === 1 ? 0 : null;
    const from = one.sources[place] ?? single;
    return { gene, value: String(gene.values[one.genes[place] ?? 0]), from: mutated ? null : from, mutated };
  });
}

export interface Placed {
  readonly one: Candidate;
  readonly x: number;
  readonly y: number;
}

export interface Scatter {
  readonly points: readonly Placed[];
  readonly failed: readonly Placed[];
  readonly best: string;
  readonly ticks: readonly { readonly y: number; readonly seconds: number }[];
  readonly columns: readonly { readonly x: number; readonly generation: number; readonly refused: number }[];
}

const LEFT = 64;
const TOP = 12;
const BOTTOM = 44;

/** Where everything stands in a picture of that size: generations from left to right, times upwards, logarithmically. */
export function scatter(search: Search, width: number, height: number): Scatter {
  const times = search.candidates.flatMap(({ seconds }) => (seconds === null ? [] : [seconds]));
  const low = Math.log10(Math.min(...times, 1));
  const high = Math.max(Math.log10(Math.max(...times, Number.MIN_VALUE)), low + 0.1);
  const columns = Math.max(1, search.generations.length, ...search.candidates.map(({ generation }) => generation + 1));
  const step = (width - LEFT - 16) / columns;
  const y = (seconds: number): number =>
    TOP + ((high - Math.log10(seconds)) / (high - low)) * (height - TOP - BOTTOM - 12);
  const x = (one: Candidate): number => LEFT + step * (one.generation + 0.2 + 0.6 * spread(one.id));
  const timed = search.candidates.filter(({ seconds }) => seconds !== null);
  const lost = search.candidates.filter(({ seconds }) => seconds === null);
  const line = bestSoFar(search).flatMap((seconds, number) =>
    seconds === null ? [] : [`${LEFT + step * (number + 0.5)},${y(seconds)}`],
  );
  const ticks = [low, (low + high) / 2, high].map((power) => ({ y: y(10 ** power), seconds: 10 ** power }));
  return {
    points: timed.map((one) => ({ one, x: x(one), y: y(one.seconds ?? 1) })),
    failed: lost.map((one) => ({ one, x: x(one), y: height - BOTTOM + 6 })),
    best: line.join(' '),
    ticks: times.length === 0 ? [] : ticks,
    columns: search.generations.map(({ number, refused }) => ({
      x: LEFT + step * (number + 0.5),
      generation: number,
      refused: Object.values(refused).reduce((sum, count) => sum + count, 0),
    })),
  };
}

/** A place between 0 and 1 that a candidate always has, so that those of one generation do not cover each other. */
const spread = (id: number): number => (id * 0.618_034) % 1;
