/** How two pictures share a pane: beside each other or one above the other, and how much each gets. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Picture extends Size {
  /** Height of what stands around the drawing: buttons, formulas, the way to the text. */
  readonly around: number;
}

export interface Arrangement {
  readonly direction: 'beside' | 'stacked';
  /** Of the room along the direction, what the first picture gets. */
  readonly share: number;
}

/** Shares that are tried, those that one expects first: a picture must be better off for another one. */
const SHARES = [0.5, 0.53, 0.47, 0.56, 0.44, 0.6, 0.4, 0.65, 0.35, 0.7, 0.3];
const BETTER = 1.02;
/** From this scale on a picture can be read, and is not made smaller. */
const ENOUGH = 11 / 12;
/** The first picture is what one looks at first. */
const FIRST_COUNTS = 1.5;
/** What a picture counts of which a part is out of sight: even a narrow one may be the end of a word. */
const CUT = 0.95;

export const EVEN: Arrangement = { direction: 'beside', share: 0.5 };

/** The arrangement that shows the most of both pictures in a size that can be read. */
export function arrange(pane: Size, first: Picture, second: Picture): Arrangement {
  let best = EVEN;
  let most = 0;
  for (const direction of ['beside', 'stacked'] as const) {
    for (const share of SHARES) {
      const found = { direction, share };
      const worth = FIRST_COUNTS * scale(pane, first, direction, share) + scale(pane, second, direction, 1 - share);
      if (worth > most * BETTER) [best, most] = [found, worth];
    }
  }
  return best;
}

/** How large a picture is in its part of the pane; 1 is its natural size. */
function scale(pane: Size, picture: Picture, direction: Arrangement['direction'], share: number): number {
  const width = direction === 'beside' ? pane.width * share : pane.width;
  const height = (direction === 'beside' ? pane.height : pane.height * share) - picture.around;
  const fits = Math.min(width / picture.width, height / picture.height);
  return fits >= ENOUGH ? ENOUGH : CUT * Math.max(0, fits);
}
