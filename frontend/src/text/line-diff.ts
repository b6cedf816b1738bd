/** Line diff by longest common subsequence. */

export interface DiffLine {
  readonly text: string;
  readonly mark: 'added' | 'removed' | 'same';
}

export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split('\n');
  const fresh = after.split('\n');
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;

  const same = (text: string): DiffLine => ({ text, mark: 'same' });
  return [
    ...fresh.slice(0, head).map(same),
    ...diffMiddle(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)),
    ...fresh.slice(fresh.length - tail).map(same),
  ];
}

function diffMiddle(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  // common[i][j]: length of the longest common subsequence of old[i…] and fresh[j…]
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row = common[i];
    if (!row) continue;
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      row[j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push({ text: old[i] ?? '', mark: 'same' });
      i += 1;
      j += 1;
    } else if (i < old.length && (j === fresh.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ text: old[i] ?? '', mark: 'removed' });
      i += 1;
    } else {
      lines.push({ text: fresh[j] ?? '', mark: 'added' });
      j += 1;
    }
  }
  return lines;
}
