/**
 * The command language as the editor sees it: one command per line, `name(argument, …)`, with the parts that it is for in
 * front of it, `A[*]: name(…)`. Pure, tolerant of half-typed text.
 */

export interface Token {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface CommandLine {
  /** 0-based number of the command: blank lines and comments do not count. */
  readonly index: number;
  /** Extent of the command in the text, without the white space around it. */
  readonly from: number;
  readonly to: number;
  /** The parts of a tensor that the command is for, without the colon: `A[ell4, csr]`. */
  readonly selector: Token | null;
  readonly name: Token | null;
  readonly arguments: readonly Token[];
  readonly closed: boolean;
}

/** Parts in front of a command, and the colon once it is typed. */
const SELECTOR = /^([A-Za-z_]\w*\s*\[[^\]:(]*\]?)\s*:?\s*/;

/** Where the comment of a line begins (`#` or `//`, as the service reads it), or the line's end. */
export function commentStart(line: string): number {
  const place = line.search(/#|\/\//);
  return place < 0 ? line.length : place;
}

/** Parses one line that begins at offset `start` of the text. Null for a line without a command. */
export function parseLine(whole: string, start: number, index: number): CommandLine | null {
  const line = whole.slice(0, commentStart(whole));
  const from = line.length - line.trimStart().length;
  const to = line.trimEnd().length;
  if (from >= to) return null;
  const parts = SELECTOR.exec(line.slice(from));
  const spelled = parts?.[1]?.trimEnd();
  const selector =
    spelled === undefined ? null : { text: spelled, from: start + from, to: start + from + spelled.length };
  const begin = from + (parts?.[0].length ?? 0);
  const nameText = /^[A-Za-z_]\w*/.exec(line.slice(begin))?.[0];
  const name = nameText ? { text: nameText, from: start + begin, to: start + begin + nameText.length } : null;
  const open = line.indexOf('(', begin);
  const parsed = open < 0 ? { tokens: [], closed: false } : parseArguments(line, start, open);
  return { index, from: start + from, to: start + to, selector, name, arguments: parsed.tokens, closed: parsed.closed };
}

/** Splits at the commas outside inner brackets: an argument may be an expression, a set `{i,j}` or parts `A[ell4,csr]`. */
function parseArguments(line: string, start: number, open: number): { tokens: Token[]; closed: boolean } {
  const tokens: Token[] = [];
  let depth = 0;
  let begin = open + 1;
  const push = (end: number): void => {
    const raw = line.slice(begin, end);
    const text = raw.trim();
    const from = start + begin + (text === '' ? raw.length : raw.indexOf(text));
    tokens.push({ text, from, to: from + text.length });
  };
  for (let position = open; position < line.length; position++) {
    const character = line[position];
    if (character === '(' || character === '{' || character === '[') depth++;
    else if (character === ')' || character === '}' || character === ']') depth--;
    if (depth === 0) {
      push(position);
      return { tokens, closed: true };
    }
    if (character === ',' && depth === 1) {
      push(position);
      begin = position + 1;
    }
  }
  push(line.length);
  return { tokens, closed: false };
}

export function parseSchedule(text: string): CommandLine[] {
  const commands: CommandLine[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const command = parseLine(line, start, commands.length);
    if (command !== null) commands.push(command);
    start += line.length + 1;
  }
  return commands;
}

/** Identifiers inside an argument, since an argument may be an expression such as `A(i,j) * x(j)`. */
export function identifiersOf(token: Token): Token[] {
  return [...token.text.matchAll(/[A-Za-z_]\w*/g)].map((match) => ({
    text: match[0],
    from: token.from + match.index,
    to: token.from + match.index + match[0].length,
  }));
}

export type Place =
  | { readonly kind: 'command'; readonly from: number }
  | { readonly kind: 'argument'; readonly command: string; readonly position: number; readonly from: number };

/** What is being typed at the end of `before`, the part of the line left of the cursor; offsets count from its start. */
export function placeAt(before: string): Place | null {
  if (commentStart(before) < before.length) return null;
  const word = /[A-Za-z_]\w*$|\d+$/.exec(before);
  const from = word ? word.index : before.length;
  const line = parseLine(before, 0, 0);
  if (line?.selector && line.name === null) return /\]\s*:\s*$/.test(before) ? { kind: 'command', from } : null;
  if (line === null || (line.name !== null && !before.includes('('))) return { kind: 'command', from };
  if (line.name === null || line.closed) return null;
  return { kind: 'argument', command: line.name.text, position: line.arguments.length - 1, from };
}
