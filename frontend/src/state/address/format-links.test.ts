import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toPlan } from '../../plan/plan';
import { readPlan } from '../../plan/plan-reader';
import { DEFAULT_VIEW } from '../view-state';
import { decodeAddress, encodeAddress } from './url-codec';

/**
 * Links that were given out, with every macro of a format. Never change or remove one. Tests run in frontend/; that
 * their plans compile is tests/backend/links/test_format_links.py, and a journey opens them in the page.
 */
const LINKS = JSON.parse(readFileSync('../tests/data/links/formats.json', 'utf-8')) as readonly {
  readonly fragment: string;
  readonly plan: unknown;
}[];

describe('links to plans whose formats have parts', () => {
  it.each(LINKS)('opens $plan.tensors', ({ fragment, plan }) => {
    const opened = decodeAddress(`#${fragment}`);
    expect(opened?.draft).toEqual(readPlan(plan));
    expect(opened === null ? null : toPlan(opened.draft)).toEqual(toPlan(readPlan(plan)));
  });

  it.each(LINKS)('writes exactly $fragment', ({ fragment, plan }) => {
    expect(encodeAddress({ draft: readPlan(plan), view: DEFAULT_VIEW })).toBe(fragment);
  });
});
