/** Search by words: entries that hold every word of the query, the likeliest first. */

/** Between the words that say something: "Figure 1 of Tensor Comprehensions". */
const FILLERS = new Set(['of', 'the', 'in', 'from', 'and', 'for', 'on', 'with', 'paper', "'s"]);

/** What a word of the query costs by how an entry holds it. */
const WHOLE = 0;
const BEGINNING = 1;
const INSIDE = 4;
/** For each text that an entry has in front of the one that holds the word: names count for more than summaries. */
const FURTHER = 0.3;
/** Where two words of the query do not follow each other: "listing 7" is not "listing A7". */
const APART = 3;
/** For an entry whose first text begins with the query. */
const FIRST = -0.25;

/**
 * Entries that hold every word of the query in one of their texts, which are in falling weight. Where some hold them as
 * words or beginnings of words, those that hold them inside of others are left out: `lut` is no convolution. A number is
 * a whole word: `listing 1` is not `listing 10`.
 */
export function search<T>(entries: readonly T[], query: string, textsOf: (entry: T) => readonly string[]): T[] {
  const words = wordsOf(query);
  const found = entries.flatMap((entry, order) => {
    const texts = textsOf(entry).map(tokens);
    const costs = words.map((word) => costOf(word, texts));
    if (costs.includes(Infinity)) return [];
    const apart = words.slice(1).filter((word, index) => !texts.some((text) => follow(words[index] ?? '', word, text)));
    const first = words.length > 0 && texts[0]?.[0]?.startsWith(words[0] ?? '') === true ? FIRST : 0;
    const rank = costs.reduce((sum, cost) => sum + cost, 0) + APART * apart.length + first;
    return [{ entry, order, rank, inside: costs.some((cost) => cost >= INSIDE) }];
  });
  const better = found.some(({ inside }) => !inside) ? found.filter(({ inside }) => !inside) : found;
  return better.sort((left, right) => left.rank - right.rank || left.order - right.order).map(({ entry }) => entry);
}

function wordsOf(query: string): string[] {
  const written = query.toLowerCase().split(/\s+/);
  const telling = written.filter((word) => !FILLERS.has(word));
  const words = tokens(telling.join(' '));
  return words.length > 0 ? words : tokens(query);
}

const tokens = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

function costOf(word: string, texts: readonly (readonly string[])[]): number {
  const costs = texts.flatMap((text, further) =>
    text.map((token) => howHeld(word, token) + FURTHER * Math.min(further, 3)),
  );
  return Math.min(Infinity, ...costs);
}

function howHeld(word: string, token: string): number {
  if (token === word) return WHOLE;
  if (/^\d+$/.test(word)) return Infinity;
  if (token.startsWith(word)) return BEGINNING;
  return token.includes(word) ? INSIDE : Infinity;
}

const follow = (word: string, next: string, text: readonly string[]): boolean =>
  text.some((token, index) => token.startsWith(word) && (text[index + 1]?.startsWith(next) ?? false));
