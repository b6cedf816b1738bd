/** The launches of parts before and after they were put into one: each a bar of blocks. */
import type { FusionView } from '../../api/types';
import { counted } from '../../text/quantities';

export interface Bar {
  readonly name: string;
  readonly grid: string;
  /** Null where the work was not followed; `part` is its number among the cases, -1 for none. */
  readonly blocks: readonly { readonly part: number; readonly work: number }[] | null;
  readonly said: string;
}

const MOST = 64;

export function barsOf({ separate, fused, cases }: FusionView): {
  readonly separate: readonly Bar[];
  readonly fused: readonly Bar[];
} {
  const numbers = new Map(cases.map(({ part }, number) => [part, number]));
  const total = cases.reduce((sum, { blocks }) => sum + blocks, 0);
  const inChain = (block: number): number =>
    cases.findIndex(({ first, blocks }) => block >= first && block < first + blocks);
  const bar = ({ name, grid, part, work }: FusionView['separate'][number], chained: boolean): Bar => {
    const blocks = work === null || work.length > MOST ? null : work;
    const own = part === null ? null : part;
    return {
      name,
      grid,
      blocks:
        blocks?.map((points, block) => ({
          part: own !== null ? (numbers.get(own) ?? -1) : chained && blocks.length === total ? inChain(block) : -1,
          work: points,
        })) ?? null,
      said: `${name}${own === null ? '' : ` of ${own}`}: ${blocks === null ? 'not followed' : `${counted(blocks.length, 'block')}${blocks.length === 0 ? '' : ` with ${blocks.join(', ')} points`}`}`,
    };
  };
  return { separate: separate.map((one) => bar(one, false)), fused: fused.map((one) => bar(one, true)) };
}
