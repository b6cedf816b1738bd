/** Generated code as lines of coloured, linked pieces. */
import type { CodeView, OriginView, SpanView, SymbolView } from '../../api/types';
import { linkIdsOf, type LinkId } from '../../state/links';
import { tokenize, type Token, type TokenKind } from './tokenize';

/** A piece of text that looks and links alike. */
export interface Piece {
  readonly text: string;
  readonly kind: TokenKind;
  readonly links: readonly LinkId[];
}

/** Neighbouring pieces with the same origin: they share one tint. */
export interface Group {
  readonly origin: OriginView | null;
  readonly pieces: readonly Piece[];
}

export interface CodeLine {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
  readonly groups: readonly Group[];
  /** Where the line as a whole comes from: its outermost span. */
  readonly origin: OriginView | null;
}

export function linesOf(code: CodeView): CodeLine[] {
  const spans = new Map<number, SpanView[]>();
  for (const span of code.spans) spans.set(span.line, [...(spans.get(span.line) ?? []), span]);
  const texts = code.text.replace(/\n$/, '').split('\n');
  return tokenize(texts.join('\n'), code.language).map((tokens, index) => {
    // The widest first: what comes later lies on top.
    const own = [...(spans.get(index + 1) ?? [])].sort((one, other) => width(other) - width(one));
    return {
      number: index + 1,
      text: texts[index] ?? '',
      groups: groupsOf(tokens, own, code.symbols),
      origin: own[0]?.origin ?? null,
    };
  });
}

const width = (span: SpanView): number => span.end_column - span.column;

function groupsOf(tokens: readonly Token[], spans: readonly SpanView[], symbols: CodeView['symbols']): Group[] {
  const cuts = spans.flatMap((span) => [span.column, span.end_column]);
  const groups: { span: SpanView | null; origin: OriginView | null; pieces: Piece[] }[] = [];
  for (const token of tokens) {
    const links = symbolLinks(token, symbols);
    for (const [start, end] of cutToken(token, cuts)) {
      const span = spans.findLast((one) => one.column <= start && end <= one.end_column) ?? null;
      let group = groups.at(-1);
      if (!group || group.span !== span) groups.push((group = { span, origin: span?.origin ?? null, pieces: [] }));
      addPiece(group.pieces, token.text.slice(start - token.start, end - token.start), token.kind, links);
    }
  }
  return groups.map(({ origin, pieces }) => ({ origin, pieces }));
}

/** The parts of a token between span borders, as [start, end) columns. */
function cutToken(token: Token, cuts: readonly number[]): [number, number][] {
  const end = token.start + token.text.length;
  const inside = [...new Set(cuts.filter((cut) => cut > token.start && cut < end))].sort((one, other) => one - other);
  const borders = [token.start, ...inside, end];
  return borders.slice(1).map((border, index) => [borders[index] ?? token.start, border]);
}

/** Names that stand for nothing look like the text around them, so that a line has few elements. */
function addPiece(pieces: Piece[], text: string, kind: TokenKind, links: readonly LinkId[]): void {
  const quiet = links.length === 0 && (kind === 'plain' || kind === 'identifier');
  const last = pieces.at(-1);
  if (quiet && last && last.kind === 'plain' && last.links.length === 0) {
    pieces[pieces.length - 1] = { ...last, text: last.text + text };
  } else {
    pieces.push({ text, kind: quiet ? 'plain' : kind, links });
  }
}

function symbolLinks(token: Token, symbols: CodeView['symbols']): readonly LinkId[] {
  if (token.kind !== 'identifier') return [];
  const symbol = own(symbols, token.text) ?? structuredSymbol(token.text, symbols);
  return symbol ? linkIdsOf(symbol) : [];
}

const own = (symbols: CodeView['symbols'], name: string): SymbolView | undefined =>
  Object.hasOwn(symbols, name) ? symbols[name] : undefined;

/** The structured loops name arrays by tensor and level: `A.vals`, `A.level2.crd`. */
function structuredSymbol(name: string, symbols: CodeView['symbols']): SymbolView | undefined {
  const [, tensor, level] = /^(\w+)\.(?:level(\d+)\.)?\w+$/.exec(name) ?? [];
  if (tensor === undefined || !Object.values(symbols).some((symbol) => symbol.tensor === tensor)) return undefined;
  return { kind: 'array', variable: null, tensor, level: level === undefined ? null : Number(level) };
}
