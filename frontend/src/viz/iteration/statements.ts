/** The statements in the innermost loops: boxes of text, in as many lines as they need. */
import type { Spacing } from '../spacing';
import { codeWidth } from '../text-width';
import { STATEMENT_LINE, STATEMENT_SIZE } from './measure';
import type { Leaf } from './tree';
import type { PlacedStatement, StatementPart } from './types';
import type { Access } from './visits';

/** Characters by which a line that goes on is set in. */
const INDENT = 2;
const BETWEEN = 6;

/** A line of a statement, in characters of it. */
export interface Line {
  readonly start: number;
  readonly end: number;
}

/**
 * Lines of at most `limit` characters where that can be: they break at spaces before operators and after commas, never
 * inside an access (`whole`).
 */
export function linesOf(text: string, limit: number, whole: readonly Line[]): readonly Line[] {
  const inside = (at: number): boolean => whole.some(({ start, end }) => start < at && at < end);
  const breaks = [...text.matchAll(/(?<=,) | (?=[-+*/=<>&|]|∧|∨)/g)].map(({ index }) => index);
  const lines: Line[] = [];
  let start = 0;
  let last: number | null = null;
  for (const end of [...breaks.filter((at) => !inside(at)), text.length]) {
    const room = lines.length === 0 ? limit : limit - INDENT;
    if (end - start > room && last !== null) {
      lines.push({ start, end: last });
      start = last + 1;
    }
    last = end;
  }
  return [...lines, { start, end: text.length }];
}

const accessesOf = (leaf: Leaf, index: number, accesses: readonly Access[]): readonly Access[] =>
  accesses.filter((access) => access.leaf === leaf && access.at?.statement === index);

const rangesOf = (accesses: readonly Access[]): Line[] => accesses.flatMap(({ at }) => (at === null ? [] : [at]));

const setIn = (line: number): number => (line === 0 ? 0 : INDENT);

/** Width of a line, in characters. */
const longest = (lines: readonly Line[]): number =>
  Math.max(0, ...lines.map(({ start, end }, line) => end - start + setIn(line)));

export function statementWidth(leaf: Leaf, accesses: readonly Access[], spacing: Spacing): number {
  const characters = leaf.statements.map((text, index) =>
    longest(linesOf(text, spacing.lineLimit, rangesOf(accessesOf(leaf, index, accesses)))),
  );
  return codeWidth('0', STATEMENT_SIZE) * Math.max(0, ...characters) + 2 * spacing.statementPadding;
}

/** The statements of a leaf under each other; `x` is their middle. */
export function placeStatements(
  leaf: Leaf,
  accesses: readonly Access[],
  x: number,
  top: number,
  spacing: Spacing,
): PlacedStatement[] {
  const width = statementWidth(leaf, accesses, spacing);
  const around = spacing.statementPadding - 2;
  let y = top;
  return leaf.statements.map((text, index) => {
    const here = accessesOf(leaf, index, accesses);
    const lines = linesOf(text, spacing.lineLimit, rangesOf(here));
    const left = x - (codeWidth('0', STATEMENT_SIZE) * longest(lines)) / 2;
    const height = lines.length * STATEMENT_LINE + around;
    const first = y + around / 2 + STATEMENT_LINE / 2 + 0.5;
    const placed = {
      text,
      parts: lines.flatMap((line, number) =>
        partsOf(text, line, here, {
          x: left + codeWidth('0', STATEMENT_SIZE) * setIn(number),
          y: first + number * STATEMENT_LINE,
        }),
      ),
      x: x - width / 2,
      y,
      width,
      height,
    };
    y += height + BETWEEN;
    return placed;
  });
}

/** Cuts a line into accesses and what stands between them; `at` is where it begins. */
function partsOf(
  text: string,
  line: Line,
  accesses: readonly Access[],
  at: { readonly x: number; readonly y: number },
): StatementPart[] {
  const parts: StatementPart[] = [];
  const add = (start: number, end: number, access: StatementPart['access']): void => {
    if (start === end) return;
    const piece = text.slice(start, end);
    const x = at.x + codeWidth(text.slice(line.start, start), STATEMENT_SIZE);
    parts.push({ text: piece, start, x, y: at.y, width: codeWidth(piece, STATEMENT_SIZE), access });
  };
  let done = line.start;
  const ordered = [...accesses].sort((one, other) => (one.at?.start ?? 0) - (other.at?.start ?? 0));
  for (const { at: place, colour, path } of ordered) {
    if (!place || place.start < done || place.start >= line.end) continue;
    add(done, place.start, null);
    add(place.start, place.end, { tensor: path.tensor, colour });
    done = place.end;
  }
  add(done, line.end, null);
  return parts;
}

/** x of the middle of the part that holds a character of a statement. */
export function middleOf({ parts, x, width }: PlacedStatement, character: number): number {
  const part = parts.find(({ start, text }) => start <= character && character < start + text.length);
  return part === undefined ? x + width / 2 : part.x + part.width / 2;
}
