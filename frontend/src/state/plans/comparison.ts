/** The plan that this one is compared with: part of the link, and no part of undo. */
import { toPlan, versionInAddress } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { readPlan } from '../../plan/plan-reader';

export interface Comparison {
  /** The other plan. */
  readonly draft: Draft;
  /** What the person calls the other plan, and the plan on the page. */
  readonly name: string;
  readonly own: string;
}

export const OWN_NAME = 'This plan';
export const OTHER_NAME = 'Other plan';
export const NAME_LIMIT = 40;

/** As it is in an address: the other plan with the names; undefined for none. */
export function comparisonDocument(comparison: Comparison | null): Record<string, unknown> | undefined {
  if (comparison === null) return undefined;
  const { draft, name, own } = comparison;
  return {
    ...toPlan(draft),
    version: versionInAddress(draft),
    name: name === OTHER_NAME ? undefined : name,
    own: own === OWN_NAME ? undefined : own,
  };
}

/** Raises PlanError for a plan that cannot be read. */
export function readComparison(value: unknown): Comparison | null {
  if (value === undefined || value === null) return null;
  const draft = readPlan(value);
  const { name, own } = value as { name?: unknown; own?: unknown };
  return { draft, name: readName(name, OTHER_NAME), own: readName(own, OWN_NAME) };
}

const readName = (value: unknown, instead: string): string =>
  typeof value === 'string' ? value.slice(0, NAME_LIMIT) : instead;
