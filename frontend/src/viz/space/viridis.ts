/** The sequential ramp viridis (Smith and van der Walt 2015), sampled at ten places. */
const RAMP = [
  '#440154',
  '#482878',
  '#3e4989',
  '#31688e',
  '#26828e',
  '#1f9e89',
  '#35b779',
  '#6ece58',
  '#b5de2b',
  '#fde725',
] as const;

/** The colour of `share` in [0, 1]. */
export function viridis(share: number): string {
  const index = Math.round(Math.min(Math.max(share, 0), 1) * (RAMP.length - 1));
  return RAMP[index] ?? RAMP[0];
}

/** Ink that can be read on {@link viridis}. */
export const inkOn = (share: number): string => (share > 0.6 ? '#14171c' : '#ffffff');
