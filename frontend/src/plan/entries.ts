/** Entries by the name of a tensor, with one of them replaced; null takes it away. */
export function withEntry<T>(
  entries: Readonly<Record<string, T>>,
  name: string,
  value: T | null,
): Readonly<Record<string, T>> {
  const rest = Object.entries(entries).filter(([key]) => key !== name);
  return Object.fromEntries(value === null ? rest : [...rest, [name, value]]);
}
