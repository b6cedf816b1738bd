/** The one table of terms: what the page explains on hover and focus, and docs/glossary.md lists. */
import table from './glossary.json';

export interface Term {
  readonly term: string;
  /** Other spellings that mean the same, plurals among them. */
  readonly also: readonly string[];
  readonly text: string;
  /** An ordinary word as well ("the loops run"): listed, but not marked in texts, where it would explain the wrong thing. */
  readonly ordinary?: boolean;
  /** The papers and projects that use the word. */
  readonly source: string;
}

export const GLOSSARY: readonly Term[] = table;

const BY_WORD: ReadonlyMap<string, Term> = new Map(
  GLOSSARY.flatMap((one) => [one.term, ...one.also].map((word) => [word, one] as const)),
);

const MARKED = [...BY_WORD].flatMap(([word, { ordinary }]) => (ordinary === true ? [] : [word]));

// Longer spellings first, so that "position space" is not taken for "position". Capitals begin sentences.
const WORDS = new RegExp(
  `(?<![\\w-])(${MARKED.sort((one, other) => other.length - one.length).join('|')})(?![\\w-])`,
  'gi',
);

/** The term that a word stands for. */
export function termOf(word: string): Term | undefined {
  return BY_WORD.get(word) ?? BY_WORD.get(word.toLowerCase());
}

export type TextPart = string | { readonly word: string; readonly term: Term };

/** A text cut at the terms in it. A term is marked where it comes first, and not again: `seen` holds the earlier ones. */
export function withTerms(text: string, seen: Set<Term> = new Set<Term>()): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(WORDS)) {
    const term = termOf(match[0]);
    if (term === undefined || seen.has(term)) continue;
    seen.add(term);
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push({ word: match[0], term });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}
