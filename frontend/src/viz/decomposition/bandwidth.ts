/** The bytes that an MTTKRP moves by the model of Phipps and Kolda (2019), for values of 8 and coordinates of 4 bytes. */
const VALUE = 8;
const INDEX = 4;

/** ((dR + 3) s_r + d s_o) P: for each entry its value, d − 1 rows of factors, and one row of the result read and written. */
export const bytesOfProduct = (order: number, entries: number, rank: number): number =>
  ((order * rank + 3) * VALUE + order * INDEX) * entries;

/** The end of the slider: some times what ran, and no less than 64. */
export const largestRank = (ran: number): number => Math.max(64, 4 * ran);
