/** Widths of text without a DOM, in px, so that layout runs in a worker. Exact for the code font, close for the others. */

/** Advance of every glyph of the bundled code font (JetBrains Mono), in em. */
const CODE_ADVANCE = 0.6;
const NARROW = new Set("iljtfrI.,:;|!'()[]{} /");
const WIDE = new Set('mwMW@%∩∪∑');

export function codeWidth(text: string, size: number): number {
  return [...text].length * CODE_ADVANCE * size;
}

/** An upper estimate over the usual interface fonts; a little too wide is better than an overlap. */
export function interfaceWidth(text: string, size: number): number {
  let em = 0;
  for (const glyph of text) {
    if (NARROW.has(glyph)) em += 0.36;
    else if (WIDE.has(glyph)) em += 0.92;
    else if (glyph >= 'A' && glyph <= 'Z') em += 0.7;
    else em += 0.6;
  }
  return em * size;
}

/** At most `limit` characters; what is cut is marked, and the whole text belongs in a title or a table. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).trimEnd()}…`;
}
