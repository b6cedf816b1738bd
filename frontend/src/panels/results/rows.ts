/** The table of all results: its columns, and the order and choice of its rows. */
import type { Measured } from '../../state/runs/measured';

export interface Column {
  readonly id: string;
  readonly title: string;
  /** What is sorted by; null stands last in both directions. */
  readonly value: (row: Measured) => number | string | null;
  readonly numeric: boolean;
}

export interface Order {
  readonly column: string;
  readonly descending: boolean;
}

const scheduleOf = ({ plan }: Measured): string => (plan.schedule ?? []).join('; ');
const formatsOf = ({ plan }: Measured): string =>
  Object.entries(plan.tensors ?? {})
    .flatMap(([name, { format }]) => (format === undefined ? [] : [`${name} ${format}`]))
    .join(', ');

/** One column of ratios for each contender that any of the rows was compared with. */
export function columnsOf(rows: readonly Measured[]): readonly Column[] {
  const others = [...new Set(rows.flatMap(({ ratios }) => Object.keys(ratios)))];
  return [
    { id: 'date', title: 'When', value: ({ date }) => date, numeric: false },
    { id: 'expression', title: 'Kernel', value: ({ plan }) => plan.expression, numeric: false },
    { id: 'formats', title: 'Formats', value: formatsOf, numeric: false },
    { id: 'schedule', title: 'Schedule', value: scheduleOf, numeric: false },
    { id: 'inputs', title: 'Input', value: ({ inputs }) => inputs, numeric: false },
    { id: 'threads', title: 'Threads', value: ({ threads }) => threads, numeric: true },
    { id: 'median', title: 'Median', value: ({ median }) => median, numeric: true },
    ...others.map((label): Column => ({
      id: `ratio ${label}`,
      title: `× ${label.replace(/^Heddle, /, '')}`,
      value: ({ ratios }) => ratios[label] ?? null,
      numeric: true,
    })),
    { id: 'rate', title: 'GB/s', value: ({ rate }) => rate, numeric: true },
    { id: 'share', title: 'of STREAM', value: ({ share }) => share, numeric: true },
  ];
}

/** Pinned rows first, each part in the wished order. Rows that are equal there keep their order, the newest first. */
export function sortRows(rows: readonly Measured[], columns: readonly Column[], order: Order): readonly Measured[] {
  const column = columns.find(({ id }) => id === order.column) ?? columns[0];
  if (column === undefined) return rows;
  const sign = order.descending ? -1 : 1;
  return [...rows].sort((left, right) => {
    if (left.pinned !== right.pinned) return left.pinned ? -1 : 1;
    const [one, other] = [column.value(left), column.value(right)];
    if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
    if (one === other) return 0;
    return one < other ? -sign : sign;
  });
}

/** Rows that hold every word in any of their columns. */
export function filterRows(rows: readonly Measured[], columns: readonly Column[], query: string): readonly Measured[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const text = columns
      .map(({ value }) => value(row))
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Raw numbers, ready for a spreadsheet; times in nanoseconds. */
export function toCsv(rows: readonly Measured[], columns: readonly Column[]): string {
  const cell = (value: number | string | null): string => {
    const text = String(value ?? '');
    // A leading = + - or @ would be run as a formula.
    const safe = typeof value === 'string' && /^[=+\-@\t]/.test(text) ? `'${text}` : text;
    return /[",\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = [
    columns.map(({ id }) => cell(id === 'median' ? 'median_ns' : id)),
    ...rows.map((row) => columns.map(({ value }) => cell(value(row)))),
  ];
  return `${lines.map((line) => line.join(',')).join('\n')}\n`;
}
