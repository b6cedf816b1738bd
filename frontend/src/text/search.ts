/** Entries that hold every word of the query, those that begin with it first. */
export function search<T>(entries: readonly T[], query: string, textOf: (entry: T) => string): T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.flatMap((entry, order) => {
    const text = textOf(entry).toLowerCase();
    const places = words.map((word) => text.indexOf(word));
    return places.includes(-1) ? [] : [{ entry, order, rank: rankOf(text, places) }];
  });
  return found.sort((left, right) => left.rank - right.rank || left.order - right.order).map(({ entry }) => entry);
}

/** Less is better: matches at the beginning of the text, then of a word, then anywhere. */
function rankOf(text: string, places: readonly number[]): number {
  return places.reduce((sum, place) => sum + (place === 0 ? 0 : /\W/.test(text[place - 1] ?? '') ? 1 : 2), 0);
}
