/** Two statements under one loop, as the service answers them. */
import type { ScheduleTreeView, TreeRowView } from '../../api/types';

const row = (
  depth: number,
  kind: TreeRowView['kind'],
  text: string,
  assignment: number | null = null,
): TreeRowView => ({
  depth,
  kind,
  text,
  loops: kind === 'band' ? ['i'] : [],
  coincident: kind === 'band' ? ['i'] : [],
  assignment,
});

export const fused: ScheduleTreeView = {
  rows: [
    row(0, 'domain', 'y'),
    row(1, 'band', 'i'),
    row(2, 'sequence', '2 parts, one after the other'),
    row(3, 'filter', 't'),
    row(4, 'leaf', 't(i) = 2 * A(i)', 0),
    row(3, 'filter', 'y'),
    row(4, 'leaf', 'y(i) = t(i) + 1', 1),
  ],
  dependences: [{ write: 't(i)', read: 't(i)', writer: 0, reader: 1, distances: [{ loop: 'i', distance: '0' }] }],
};
