/**
 * The formulas of provenance relations with numbers: `i = i0 · 32 + i1` → `4 = 0 · 32 + 4`, and bounds as ranges.
 *
 * The service writes formulas with + − · / mod, ⌊ ⌋ ⌈ ⌉ and parentheses over names, and calls such as search_A(…).
 */

/** Half open, as the loops run. */
export interface Domain {
  readonly lower: number;
  readonly upper: number;
}

export interface Numbers {
  /** A name of a formula, such as `i_max` or `i0`; undefined when it is not known now. */
  readonly name: (name: string) => number | undefined;
  /** A call, such as `search_A(5)`. */
  readonly call: (name: string, argument: number) => number | undefined;
}

const TOKEN = /\s*([A-Za-z_]\w*|\d+|[+−·/()⌊⌋⌈⌉])/y;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '⌊': '⌋', '⌈': '⌉' };

/** The value of a formula; null where a part of it is unknown or is none of these operations. */
export function evaluate(formula: string, numbers: Numbers): number | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const text = formula.trim();
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (found === null) return null;
    tokens.push(found[1] ?? '');
  }
  let at = 0;
  const sum = (): number => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '−')
      value = tokens[at++] === '+' ? value + product() : value - product();
    return value;
  };
  const product = (): number => {
    let value = factor();
    for (;;) {
      if (tokens[at] === '·') {
        at += 1;
        value *= factor();
      } else if (tokens[at] === '/') {
        at += 1;
        value /= factor();
      } else if (tokens[at] === 'mod') {
        at += 1;
        value %= factor();
      } else return value;
    }
  };
  const factor = (): number => {
    const token = tokens[at++];
    if (token === undefined) return NaN;
    if (/^\d/.test(token)) return Number(token);
    const closing = CLOSING[token];
    if (closing !== undefined) {
      const inside = sum();
      if (tokens[at++] !== closing) return NaN;
      return token === '⌊' ? Math.floor(inside) : token === '⌈' ? Math.ceil(inside) : inside;
    }
    if (tokens[at] !== '(') return numbers.name(token) ?? NaN;
    at += 1;
    const argument = sum();
    if (tokens[at++] !== ')' || !Number.isFinite(argument)) return NaN;
    return numbers.call(token, argument) ?? NaN;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : null;
}

/** The range of `i0 ∈ [lower, upper)`; null where an end is unknown. */
export function evaluateBounds(formula: string, numbers: Numbers): Domain | null {
  const range = /∈ \[(.*), (.*)\)$/.exec(formula);
  const lower = evaluate(range?.[1] ?? '', numbers);
  const upper = evaluate(range?.[2] ?? '', numbers);
  return lower === null || upper === null ? null : { lower, upper };
}

/** The formula with every name replaced by its number; null where one is unknown. Names of arrays stay. */
export function withNumbers(formula: string, numbers: Numbers): string | null {
  // Formulas in words ("the coordinate whose segment …") have no numbers to put in.
  if (/ = the /.test(formula)) return null;
  let known = true;
  const text = formula.replace(/[A-Za-z_]\w*(\.\w+)?/g, (name: string, field: string | undefined) => {
    if (field !== undefined || name === 'mod') return name;
    const value = numbers.name(name);
    if (value === undefined) known = false;
    return String(value);
  });
  return known ? text : null;
}
