/** Why commands cannot be applied, in a few causes: a person looks for the reason, not for the command. */
import type { CandidateView } from '../../api/types';
import type { CandidateGroup } from './candidates';

export interface Cause {
  readonly title: string;
  readonly candidates: readonly CandidateView[];
}

/** Each cause with the codes of its refusals; what is in none of them is the last cause. */
const CAUSES: readonly (readonly [title: string, code: RegExp])[] = [
  ['Iterations would add into the same element', /race|reduction|vector-atomics|repeated-sum/],
  ['The storage order forbids it', /storage-order|strided|unordered|coord-before-tile|append-order/],
  ['The loop merges operands, or its entries repeat', /merge|gallop|repeated-coordinates|not-covering/],
  ['There are no stored positions to walk', /position|pos-of|coord-of|not-in-access|not-consecutive|fuse-sparse|fused/],
  [
    'The loops are not nested that way',
    /not-directly-nested|unit-order|block-inside|inside-vector|nested-threads|mixed/,
  ],
  ['The workspace or the sparse result forbids it', /workspace|append|assembl|precompute/],
  ['The loop has no such rows, or already has its tag', /no-rows|no-weights|tagged|prefetch|balance/],
];
const OTHERS = 'Another rule of the command';

/** The refused candidates of all commands by cause, in the order of the table. */
export function causesOf(groups: readonly CandidateGroup[]): Cause[] {
  const refused = groups.flatMap((group) => group.refused);
  const titleOf = ({ why_not: reason }: CandidateView): string =>
    CAUSES.find(([, code]) => code.test(reason?.code ?? ''))?.[0] ?? OTHERS;
  return [...CAUSES.map(([title]) => title), OTHERS].flatMap((title) => {
    const candidates = refused.filter((one) => titleOf(one) === title);
    return candidates.length > 0 ? [{ title, candidates }] : [];
  });
}
