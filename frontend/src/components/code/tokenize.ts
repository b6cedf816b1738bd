/** Light syntax colouring: one line at a time, C-like languages and the printed loops. */
import { CODE_LANGUAGES } from '../../plan/targets';
import type { CodeLanguage } from '../../plan/targets';

export type TokenKind = 'plain' | 'identifier' | 'keyword' | 'type' | 'number' | 'string' | 'comment' | 'directive';

export interface Token {
  readonly text: string;
  readonly start: number;
  readonly kind: TokenKind;
}

const KEYWORDS = new Set(
  (
    'for while if else elif break continue return do switch case default sizeof goto const restrict static inline ' +
    'in on reduce unroll def out var pass block require search_before search_at_least allocate atomic not and or ' +
    'forall where __global__ __device__ __shared__ __kernel __global __local kernel'
  ).split(' '),
);
const TYPES =
  /^(?:void|bool|char|int|long|short|float|double|size_t|unsigned|signed|_Complex|struct|u?int\d+(?:_t)?|float\d+|complex\d+)$/;

/** In order: strings, numbers, names (dotted ones are one name in the printed loops), anything else. */
const WORDS =
  /(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>(?<![\w.])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[a-zA-Z]*)|(?<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)/g;
/** Comments first; in the printed loops `//` divides. */
const WORDS_OF_C = new RegExp(`(?<comment>//.*$|/\\*.*?(?:\\*/|$))|${WORDS.source}`, 'g');

export function tokenize(text: string, language: CodeLanguage): Token[][] {
  let inComment = false;
  return text.split('\n').map((line) => {
    const tokens: Token[] = [];
    let from = 0;
    if (inComment) {
      const end = line.indexOf('*/');
      from = end < 0 ? line.length : end + 2;
      inComment = end < 0;
      push(tokens, line.slice(0, from), 0, 'comment');
    }
    if (language !== 'loops' && /^\s*#/.test(line)) {
      push(tokens, line, from, 'directive');
      return CODE_LANGUAGES[language].namesInDirectives ? namesInDirective(line, tokens) : tokens;
    }
    const body = language === 'loops' ? withoutHash(line) : line;
    for (const match of body.slice(from).matchAll(language === 'loops' ? WORDS : WORDS_OF_C)) {
      const start = from + match.index;
      const end = tokens.at(-1);
      const done = end ? end.start + end.text.length : 0;
      push(tokens, body.slice(done, start), done, 'plain');
      push(tokens, match[0], start, kindOf(match));
      if (match.groups?.['comment']?.startsWith('/*') && !match[0].endsWith('*/')) inComment = true;
    }
    const last = tokens.at(-1);
    const done = last ? last.start + last.text.length : 0;
    push(tokens, body.slice(done), done, 'plain');
    push(tokens, line.slice(body.length), body.length, 'comment');
    return tokens;
  });
}

/** `# …` is a comment in the printed loops. */
function withoutHash(line: string): string {
  const hash = line.search(/(?:^|\s)#\s/);
  return hash < 0 ? line : line.slice(0, hash);
}

/** Names inside a pragma (a reduction variable) still stand for something. */
function namesInDirective(line: string, whole: readonly Token[]): Token[] {
  const start = line.indexOf('(');
  if (start < 0) return [...whole];
  const tokens: Token[] = [{ text: line.slice(0, start), start: 0, kind: 'directive' }];
  let done = start;
  for (const match of line.slice(start).matchAll(/[A-Za-z_]\w*/g)) {
    push(tokens, line.slice(done, start + match.index), done, 'directive');
    push(tokens, match[0], start + match.index, 'identifier');
    done = start + match.index + match[0].length;
  }
  push(tokens, line.slice(done), done, 'directive');
  return tokens;
}

function push(tokens: Token[], text: string, start: number, kind: TokenKind): void {
  if (text !== '') tokens.push({ text, start, kind });
}

function kindOf(match: RegExpMatchArray): TokenKind {
  const groups = match.groups ?? {};
  if (groups['comment'] !== undefined) return 'comment';
  if (groups['string'] !== undefined) return 'string';
  if (groups['number'] !== undefined) return 'number';
  if (KEYWORDS.has(match[0])) return 'keyword';
  return TYPES.test(match[0]) ? 'type' : 'identifier';
}
