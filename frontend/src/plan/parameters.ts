/** What a program of patterns says it takes, read from the text itself, so that it is known at every keystroke. */
import type { Role, Roles } from './roles';

interface PatternParameters {
  /** Those of nFun. */
  readonly sizes: readonly string[];
  readonly types: Readonly<Record<string, string>>;
}

const FUNCTION = /^[\s(]*(?:(nFun|nfun)\s*\(\s*(\w+)\s*(?:=>|⇒|->|↦)|(?:fun|λ)\s*\(\s*(\w+)\s*:)/;
const ARROW = /^(?:=>|⇒|->|↦)/;
const LEVEL = /^\[\s*(?:([A-Za-z]\w*)\s*(?:->|↦|=>|⇒))?\s*/;
const INTEGER = /^(?:u?int(?:8|16|32|64)?|long)$/;
/** Of a tensor that arguments are parts of. */
const IN_PARTS = 'parts';

/** Null for a text that is not finished. */
export function parametersOfPatterns(expression: string): PatternParameters | null {
  const text = expression.replaceAll(/(?:\/\/|#).*$/gm, '');
  if (!isClosed(text)) return null;
  const sizes: string[] = [];
  const types: Record<string, string> = {};
  let rest = text;
  for (let match = FUNCTION.exec(rest); match !== null; match = FUNCTION.exec(rest)) {
    rest = rest.slice(match[0].length);
    const [, , size, parameter] = match;
    if (size !== undefined) sizes.push(size);
    if (parameter === undefined) continue;
    const end = endOfType(rest);
    if (end === null) return null;
    types[parameter] = rest.slice(0, end).trim();
    rest = rest.slice(end).replace(ARROW, '');
  }
  return sizes.length === 0 && Object.keys(types).length === 0 ? null : { sizes, types };
}

/** The sizes and integers that a plan may fix. */
export const numbersOf = ({ sizes, types }: PatternParameters): readonly string[] => [
  ...sizes,
  ...Object.entries(types).flatMap(([name, type]) => (INTEGER.test(type) ? [name] : [])),
];

/** The roles of the parameters, and of the tensors that the chosen arguments are parts of. */
export function rolesOfPatterns(expression: string, chosen: Readonly<Record<string, string>>): Roles | null {
  const parameters = parametersOfPatterns(expression);
  if (parameters === null) return null;
  const sources = Object.keys(parameters.types).flatMap((parameter): [string, Role][] => {
    const [tensor = '', part] = (chosen[parameter] ?? '').split('.');
    return part === undefined ? [] : [[tensor, { made: false, order: 2, layout: IN_PARTS }]];
  });
  const arrays = Object.entries(parameters.types).map(([name, type]): [string, Role] => {
    const layout = layoutOf(type);
    return [name, { made: false, order: layout.length, layout, dimensions: type.replaceAll(/\s/g, '') }];
  });
  return Object.fromEntries([...sources, ...arrays]);
}

/** A letter for each level of arrays: whether the type of its elements depends on where they are. */
function layoutOf(type: string): string {
  const level = LEVEL.exec(type);
  if (level === null) return '';
  const element = type.slice(level[0].length);
  const variable = level[1];
  const ragged = variable !== undefined && new RegExp(String.raw`(?<!\w)${variable}(?!\w)`).test(element);
  return (ragged ? 'r' : 'd') + layoutOf(element);
}

/** Where the arrow stands behind a type: in no brackets. */
function endOfType(text: string): number | null {
  let open = 0;
  for (let place = 0; place < text.length; place++) {
    const character = text.charAt(place);
    if ('[({'.includes(character)) open++;
    if ('])}'.includes(character)) open--;
    if (open < 0) return null;
    if (open === 0 && ARROW.test(text.slice(place, place + 2))) return place;
  }
  return null;
}

function isClosed(text: string): boolean {
  const count = (character: string): number => text.split(character).length - 1;
  return ['()', '[]', '{}'].every(([open = '', close = '']) => count(open) === count(close));
}
