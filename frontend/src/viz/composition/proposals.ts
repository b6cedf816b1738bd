/** Sums of parts that suit the rows of a tensor: the bucket that the mean length falls into, and what is longer. */
import type { StoredPartsView } from '../../api/types';

export function proposalsFor({ shape, entries, lengths }: StoredPartsView): readonly string[] {
  const fibres = lengths.bins.reduce((sum, bin) => sum + bin.fibres, 0);
  const mean = fibres === 0 ? 1 : entries / fibres;
  const bucket = Math.min(12, Math.max(1, Math.ceil(Math.log2(mean))));
  const width = 2 ** bucket;
  if (shape.length === 1) return ['coo where column < 4 + dense'];
  if (shape.length > 2) return [`coo where length <= ${Math.max(1, Math.floor(mean))} + csf`];
  return [
    `hyb(1,${bucket})`,
    `hyb(2,${Math.max(1, bucket - 1)})`,
    `ell(${width}) where slot < ${width} + coo`,
    'dia where depth >= 50 + csr',
  ];
}
