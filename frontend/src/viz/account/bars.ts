/** The work of shares as bars over a common floor. */

export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const WIDEST = 40;

/** A bar for each of `shares`, of which one with `most` is as high as the picture; and where their mean lies. */
export function barsOf(
  shares: readonly number[],
  most: number,
  width: number,
  height: number,
): { readonly bars: readonly Bar[]; readonly mean: number } {
  const each = Math.min(WIDEST, width / Math.max(1, shares.length));
  const gap = each > 3 ? 1 : 0;
  const high = (share: number): number => (height * share) / Math.max(1, most);
  const mean = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
  return {
    bars: shares.map((share, number) => ({
      x: number * each,
      y: height - high(share),
      width: each - gap,
      height: high(share),
    })),
    mean: height - high(mean),
  };
}
