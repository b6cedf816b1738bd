/** How a preview is drawn and said: shades of a spy plot, bars of degrees, and sentences that tell the same. */
import type { DegreesView, PreviewView } from '../api/types';
import { counted, formatCount } from '../text/quantities';

/** How dark a bin is, 0 (empty) to 1: by the share of its cells that are filled, so that a full band looks full. */
export function shadeOf(count: number, fullest: number): number {
  return count === 0 || fullest === 0 ? 0 : 0.35 + 0.65 * (Math.log1p(count) / Math.log1p(fullest));
}

export function fullestOf(counts: readonly (readonly number[])[]): number {
  return counts.reduce((most, row) => row.reduce((above, count) => Math.max(above, count), most), 0);
}

/** `0`, `1`, `2–3`, … */
export const rangeOf = (least: number, most: number): string =>
  least === most ? formatCount(least) : `${formatCount(least)}–${formatCount(most)}`;

/** What the coordinates of a dimension are called. */
export function slicesOf(dimension: number, order: number): string {
  return order === 2 ? (['rows', 'columns'][dimension] ?? '') : `coordinates of dimension ${dimension + 1}`;
}

/** The facts of a preview, one sentence each; they stand for the pictures where these are not seen. */
export function factsOf(preview: PreviewView): string[] {
  const { shape, nonzeros, bandwidth, symmetric, degrees } = preview;
  const cells = shape.reduce((product, size) => product * size, 1);
  const filled = cells === 0 ? '' : `, ${percent(nonzeros / cells)} of all cells`;
  const facts = [`${shape.map(formatCount).join(' × ')}, ${counted(nonzeros, 'nonzero')}${filled}.`];
  for (const one of degrees) facts.push(degreeFact(one, shape.length));
  if (bandwidth !== null) facts.push(`The farthest entry is ${formatCount(bandwidth)} away from the diagonal.`);
  if (symmetric !== null) facts.push(symmetric ? 'The pattern is symmetric.' : 'The pattern is not symmetric.');
  return facts;
}

function degreeFact({ dimension, empty, least, mean, most, gini }: DegreesView, order: number): string {
  const slices = slicesOf(dimension, order);
  const none = empty === 0 ? `none empty` : `${formatCount(empty)} empty`;
  const spread = least === most ? 'all equal' : `inequality (Gini) ${gini.toFixed(2)}`;
  return `Entries in ${slices}: ${formatCount(least)} to ${formatCount(most)}, mean ${mean.toPrecision(3)}; ${none}; ${spread}.`;
}

const percent = (share: number): string =>
  share >= 0.001 || share === 0 ? `${(share * 100).toPrecision(2)} %` : `${(share * 100).toExponential(1)} %`;
