/** A task that is done, as a link: whoever grades opens the plan, and `./heddle grade` checks it again. */
import type { Draft } from '../../plan/plan';
import { encodeAddress } from '../address/url-codec';
import { DEFAULT_VIEW } from '../view-state';
import { pageAddress } from '../../api/site';

export interface Receipt {
  readonly lesson: string;
  readonly task: string;
  readonly seed: number;
  readonly answers: Readonly<Record<string, string>>;
  /** What was checked, whatever the editors hold since. */
  readonly draft: Draft;
}

/** The address of the page with all of it, without its origin; backend/heddle_server/lessons/receipts.py reads it. */
export function receiptLink({ lesson, task, seed, answers, draft }: Receipt): string {
  const query = new URLSearchParams({ lesson, task, seed: String(seed), answers: JSON.stringify(answers) });
  return pageAddress(`?${query.toString()}#${encodeAddress({ draft, view: DEFAULT_VIEW })}`);
}
