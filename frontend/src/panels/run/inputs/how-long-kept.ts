import type { DatasetView } from '../../../api/types';
import { formatCount } from '../../../text/quantities';

/** What a person should know of data that they have uploaded. */
export function howLongKept({ kept_days: days }: Pick<DatasetView, 'kept_days'>): string {
  const seen = 'Everybody who uses this server can choose this file.';
  return days === null
    ? `${seen} It is kept.`
    : `${seen} It is deleted after ${formatCount(Math.round(days))} days, unless a run or a link uses it.`;
}
