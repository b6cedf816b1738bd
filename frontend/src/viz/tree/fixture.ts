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
  versions: [
    { name: 't', result: false, reads: [], dimensions: [] },
    { name: 'y', result: true, reads: ['t'], dimensions: ['N'] },
  ],
  dependences: [{ write: 't(i)', read: 't(i)', writer: 0, reader: 1, distances: [{ loop: 'i', distance: '0' }] }],
  forbidding: [],
};

/** The two apart, after together(i, i2) was refused: the second reads what the first computes an iteration later. */
export const refused: ScheduleTreeView = {
  rows: [
    row(0, 'domain', 't, y'),
    row(1, 'sequence', '2 parts, one after the other'),
    row(2, 'filter', 't'),
    row(3, 'band', 'i'),
    row(4, 'leaf', 't(i) = 2 * A(i)', 0),
    row(2, 'filter', 'y'),
    row(3, 'band', 'i2'),
    row(4, 'leaf', 'y(i2) = t(i2_1) + 1', 1),
  ],
  versions: [
    { name: 't', result: false, reads: [], dimensions: ['N'] },
    { name: 'y', result: true, reads: ['t'], dimensions: ['N'] },
  ],
  dependences: [{ write: 't(i)', read: 't(i2 + 1)', writer: 0, reader: 1, distances: [] }],
  forbidding: [{ command: 'together(i, i2)', write: 't(i)', read: 't(i2 + 1)', writer: 0, reader: 1, distance: '-1' }],
};
