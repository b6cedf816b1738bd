/** Two texts line by line, side by side: equal lines face each other, the rest faces what took its place. */
import { diffArrays } from 'diff';
import type { CodeView, OriginView } from '../../api/types';
import type { Mark } from '../../components/code/CodeListing';

/** 0-based lines that face each other; null where one side has none. `same` is false for lines that differ. */
export interface LinePair {
  readonly left: number | null;
  readonly right: number | null;
  readonly same: boolean;
}

export function pairLines(left: readonly string[], right: readonly string[]): LinePair[] {
  const pairs: LinePair[] = [];
  let [i, j] = [0, 0];
  const changes = diffArrays([...left], [...right]);
  for (let at = 0; at < changes.length; at += 1) {
    const change = changes[at];
    if (change === undefined) continue;
    if (!change.added && !change.removed) {
      for (let k = 0; k < change.count; k += 1) pairs.push({ left: i++, right: j++, same: true });
      continue;
    }
    // What was removed and what was added in its place stand in one block.
    const next = changes[at + 1];
    const paired = next !== undefined && next.added !== change.added && (next.added || next.removed);
    const removed = change.removed ? change.count : paired && next.removed ? next.count : 0;
    const added = change.added ? change.count : paired && next.added ? next.count : 0;
    if (paired) at += 1;
    for (let k = 0; k < Math.max(removed, added); k += 1) {
      pairs.push({ left: k < removed ? i++ : null, right: k < added ? j++ : null, same: false });
    }
  }
  return pairs;
}

/** One column of a comparison: code with empty lines where the other side has more, ready for a listing. */
export interface Column {
  readonly code: CodeView;
  readonly marks: readonly Mark[];
  /** The line of the real code that each line shows; null for a gap. */
  readonly numbers: readonly (number | null)[];
}

export interface SideBySide {
  readonly left: Column;
  readonly right: Column;
  /** Both in one text, removed lines before added ones: for narrow pages. */
  readonly unified: Column;
  readonly added: number;
  readonly removed: number;
}

const linesOf = (code: CodeView): string[] => code.text.replace(/\n$/, '').split('\n');

export function sideBySide(left: CodeView, right: CodeView): SideBySide {
  // One loop more indents all that is in it: that alone is no difference.
  const plain = (code: CodeView): string[] => linesOf(code).map((line) => line.trim());
  const pairs = pairLines(plain(left), plain(right));
  const other = withoutCommands(left);
  const rows = unifiedRows(pairs);
  return {
    left: column(
      other,
      pairs.map((pair) => pair.left),
      (index) => (pairs[index]?.same ? 'same' : 'removed'),
    ),
    right: column(
      right,
      pairs.map((pair) => pair.right),
      (index) => (pairs[index]?.same ? 'same' : 'added'),
    ),
    unified: unifiedColumn(other, right, rows),
    removed: rows.filter(({ mark }) => mark === 'removed').length,
    added: rows.filter(({ mark }) => mark === 'added').length,
  };
}

function column(code: CodeView, sources: readonly (number | null)[], markOf: (index: number) => Mark): Column {
  const lines = linesOf(code);
  const places = new Map(sources.flatMap((source, index) => (source === null ? [] : [[source + 1, index + 1]])));
  return {
    code: {
      ...code,
      text: sources.map((source) => (source === null ? '' : (lines[source] ?? ''))).join('\n'),
      spans: code.spans.flatMap((span) => {
        const line = places.get(span.line);
        return line === undefined ? [] : [{ ...span, line }];
      }),
    },
    marks: sources.map((source, index) => (source === null ? 'same' : markOf(index))),
    numbers: sources.map((source) => (source === null ? null : source + 1)),
  };
}

interface UnifiedRow {
  readonly side: 'left' | 'right';
  readonly line: number;
  readonly mark: Mark;
}

function unifiedRows(pairs: readonly LinePair[]): UnifiedRow[] {
  const rows: UnifiedRow[] = [];
  let waiting: UnifiedRow[] = [];
  for (const { left, right, same } of pairs) {
    if (same) {
      rows.push(...waiting);
      waiting = [];
      rows.push({ side: 'right', line: right ?? 0, mark: 'same' });
      continue;
    }
    if (left !== null) rows.push({ side: 'left', line: left, mark: 'removed' });
    if (right !== null) waiting.push({ side: 'right', line: right, mark: 'added' });
  }
  return [...rows, ...waiting];
}

function unifiedColumn(left: CodeView, right: CodeView, rows: readonly UnifiedRow[]): Column {
  const parts = (['left', 'right'] as const).map((side) => {
    const sources = rows.map((row) => (row.side === side ? row.line : null));
    return column(side === 'left' ? left : right, sources, (index) => rows[index]?.mark ?? 'same');
  });
  const [removed, kept] = parts;
  if (removed === undefined || kept === undefined) throw new Error('a comparison has two sides');
  const texts = removed.code.text.split('\n');
  return {
    code: {
      ...right,
      text: kept.code.text
        .split('\n')
        .map((text, index) => (rows[index]?.side === 'left' ? (texts[index] ?? '') : text))
        .join('\n'),
      spans: [...removed.code.spans, ...kept.code.spans],
      symbols: { ...left.symbols, ...right.symbols },
    },
    marks: rows.map(({ mark }) => mark),
    numbers: rows.map(({ line }) => line + 1),
  };
}

/** The numbers of commands in the other plan's code mean that plan's commands: they must light none of this one's. */
function withoutCommands(code: CodeView): CodeView {
  const bare = (origin: OriginView): OriginView => ({ ...origin, command: null });
  return { ...code, spans: code.spans.map((span) => ({ ...span, origin: bare(span.origin) })) };
}
