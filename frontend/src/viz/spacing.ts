/** How closely a graph is drawn. Its texts keep their size; what lies between them gives way, to a half at most. */

export interface Spacing {
  /** Of a node, from its centre to its rim. */
  readonly halfHeight: number;
  /** Between two nodes, one above the other. */
  readonly gap: number;
  /** Part of a gap with labels in which lanes change places, above the labels. */
  readonly shift: number;
  /** From the labels to the node below them. */
  readonly entry: number;
  readonly labelHeight: number;
  /** From the innermost loop to its statements. */
  readonly leafGap: number;
  /** Between subtrees, side by side. */
  readonly branchGap: number;
  /** Between two lanes, side by side. */
  readonly laneGap: number;
  /** From a node, or its lanes, to the notes beside it. */
  readonly noteGap: number;
  /** Whether notes say what is said by the shape of the node too. */
  readonly wordy: boolean;
  readonly statementPadding: number;
  /** Characters of a line of a statement; a longer one goes on in the next line. */
  readonly lineLimit: number;
  /** Between the nodes of one row, and between rows, of a layered drawing. */
  readonly across: number;
  readonly down: number;
  readonly margin: number;
}

/** All the room that the parts of a graph take. */
export const ROOMY: Spacing = {
  halfHeight: 21,
  gap: 30,
  shift: 24,
  entry: 24,
  labelHeight: 20,
  leafGap: 36,
  branchGap: 28,
  laneGap: 18,
  noteGap: 32,
  wordy: true,
  statementPadding: 12,
  lineLimit: 60,
  across: 30,
  down: 28,
  margin: 12,
};

const CLOSE: Spacing = {
  halfHeight: 17,
  gap: 21,
  shift: 17,
  entry: 17,
  labelHeight: 18,
  leafGap: 25,
  branchGap: 20,
  laneGap: 13,
  noteGap: 11,
  wordy: true,
  statementPadding: 9,
  lineLimit: 32,
  across: 22,
  down: 20,
  margin: 8,
};

const TIGHT: Spacing = {
  halfHeight: 14,
  gap: 15,
  shift: 12,
  entry: 12,
  labelHeight: 17,
  leafGap: 16,
  branchGap: 12,
  laneGap: 13,
  noteGap: 7,
  wordy: false,
  statementPadding: 5,
  lineLimit: 20,
  across: 15,
  down: 14,
  margin: 3,
};

export type AtLeastOne<Item> = readonly [Item, ...Item[]];

/** How much higher a drawing may be, where its frame is high and narrow: as wide, and as large in its texts. */
export const HIGHER = [3.6, 3.25, 2.9, 2.6, 2.35, 2.1, 1.9, 1.7, 1.5, 1.35, 1.2] as const;
/** The same where a roomy drawing is too wide, which is seldom. */
const SELDOM_HIGHER = [4, 2.5, 1.6] as const;
/** A graph of this height fills a frame without that. */
const HIGH = 640;

const higher = (spacing: Spacing, by: number): Spacing => ({
  ...spacing,
  gap: spacing.gap * by,
  shift: spacing.shift * by,
  entry: spacing.entry * by ** 0.5,
  leafGap: spacing.leafGap * by,
  down: spacing.down * by,
});

/** Drawings in each spacing, the roomiest first; `draw` gives one for each number of rows. */
export function inEachSpacing<Drawing extends { readonly height: number }>(
  draw: (spacing: Spacing) => AtLeastOne<Drawing>,
): AtLeastOne<Drawing> {
  const [roomy, ...more] = eachHigher(draw, ROOMY, HIGHER);
  return [roomy, ...more, ...eachHigher(draw, CLOSE, SELDOM_HIGHER), ...eachHigher(draw, TIGHT, SELDOM_HIGHER)];
}

/** For each number of rows the drawings that are higher, the highest first, and then the usual one. */
function eachHigher<Drawing extends { readonly height: number }>(
  draw: (spacing: Spacing) => AtLeastOne<Drawing>,
  spacing: Spacing,
  factors: readonly number[],
): AtLeastOne<Drawing> {
  const usual = draw(spacing);
  const stretched = usual.some(({ height }) => height < HIGH) ? factors.map((by) => draw(higher(spacing, by))) : [];
  const [first, ...rest] = usual.flatMap((drawing, rows) =>
    drawing.height < HIGH ? [...stretched.flatMap((drawings) => drawings[rows] ?? []), drawing] : [drawing],
  );
  return first === undefined ? usual : [first, ...rest];
}

/** In so many rows, one under the other, the parts of a graph can stand that nothing joins. */
const ROWS_MOST = 5;

/** Drawings of parts that can stand side by side, and in 2, 3, … rows, each with as many as the others. */
export function inRows<Part, Drawing>(
  parts: readonly Part[],
  draw: (rows: readonly (readonly Part[])[]) => Drawing,
): AtLeastOne<Drawing> {
  const perRow = (rows: number): number => Math.max(1, Math.ceil(parts.length / rows));
  const split = (rows: number): Part[][] =>
    [...Array(rows).keys()].map((row) => parts.slice(row * perRow(rows), (row + 1) * perRow(rows)));
  const more = [...Array(ROWS_MOST + 1).keys()]
    .slice(2)
    .filter((rows) => rows <= parts.length && perRow(rows) < perRow(rows - 1));
  return [draw([parts]), ...more.map((rows) => draw(split(rows)))];
}
