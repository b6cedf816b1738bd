import { describe, expect, it } from 'vitest';
import type { ClassroomView } from '../../api/types';
import { cellOf, labelOf, rowsOf, triedTasks } from './class-rows';

const WORK = { student: 2, lesson: 'a', task: 'x', tries: 3, solved: true, minutes: 4.5, medals: ['gold' as const] };
const VIEW: ClassroomView = {
  code: 'ABCD-2345',
  title: 'Spring',
  created: '2027-03-01T09:00:00.000Z',
  until: null,
  revision: 4,
  students: [
    { number: 1, nickname: 'Ann', joined: '2027-03-01T09:00:00.000Z' },
    { number: 2, nickname: 'Ben', joined: '2027-03-01T09:00:00.000Z' },
  ],
  tasks: [
    { lesson: 'a', task: 'w', title: 'A', number: 1, place: 1 },
    { lesson: 'a', task: 'x', title: 'A', number: 1, place: 2 },
  ],
  work: [WORK],
  obstacles: [],
};

describe('the table of a class', () => {
  it('has a row for each student and a column for each task that was tried', () => {
    expect(rowsOf(VIEW)).toEqual([
      { number: 1, nickname: 'Ann', solved: 0, work: {} },
      { number: 2, nickname: 'Ben', solved: 1, work: { 'a/x': WORK } },
    ]);
    expect(triedTasks(VIEW).map(labelOf)).toEqual(['1.2']);
  });

  it('says in words what its signs mean', () => {
    expect(cellOf(undefined)).toEqual({ shown: '', said: 'not tried' });
    expect(cellOf(WORK)).toEqual({ shown: '✓★', said: 'done after 3 tries, 4.5 minutes, gold' });
    const first = { ...WORK, tries: 1, minutes: 0, medals: [] };
    expect(cellOf(first)).toEqual({ shown: '✓', said: 'done after 1 try' });
    const open = { ...WORK, tries: 2, solved: false, minutes: null, medals: [] };
    expect(cellOf(open)).toEqual({ shown: '2 ✗', said: 'not done after 2 tries' });
  });
});
