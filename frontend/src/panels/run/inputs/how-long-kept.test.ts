import { expect, it } from 'vitest';
import { howLongKept } from './how-long-kept';

it('says after how many days an upload goes, and what keeps it', () => {
  expect(howLongKept({ kept_days: 90 })).toBe(
    'Everybody who uses this server can choose this file. It is deleted after 90 days, unless a run or a link uses it.',
  );
});

it('says that an upload stays where nothing is deleted', () => {
  expect(howLongKept({ kept_days: null })).toMatch(/It is kept\.$/);
});
