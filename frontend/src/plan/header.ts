/** What a tensor comprehension says it takes and gives, read from the text itself, so that it is known at every keystroke. */
import type { Role, Roles } from './roles';

/** `float(N,M) A`: `dimensions` are names of sizes or numbers, none for a single value. */
export interface Parameter {
  readonly name: string;
  readonly scalar: string;
  readonly dimensions: readonly string[];
}

export interface Header {
  readonly parameters: readonly Parameter[];
  readonly results: readonly string[];
  /** The statements. */
  readonly body: string;
}

const NAME = String.raw`[A-Za-z_]\w*`;
const SIGNATURE = new RegExp(
  String.raw`def\s+${NAME}\s*\(((?:[^(){}]|\([^(){}]*\))*)\)\s*->\s*\(((?:[^(){}]|\([^(){}]*\))*)\)\s*\{`,
  'g',
);
const PARAMETER = new RegExp(String.raw`^(${NAME})\s*(?:\(([^()]*)\)\s*|\s)(${NAME})$`);
const INTEGER = /^(?:byte|u?int(?:8|16|32|64)?)$/;

/** Of the last definition, which is the program; null for a text that is not finished. */
export function headerOf(expression: string): Header | null {
  const text = expression.replaceAll(/#.*$/gm, '');
  const signature = [...text.matchAll(SIGNATURE)].at(-1);
  const body = signature === undefined ? '' : text.slice(signature.index + signature[0].length);
  if (signature === undefined || !/^[^{}]*\}\s*$/.test(body)) return null;
  const parameters = partsOf(signature[1] ?? '').map(parameterOf);
  if (parameters.includes(null)) return null;
  const results = partsOf(signature[2] ?? '').map((part) => part.split(/[\s)]/).at(-1) ?? '');
  return { parameters: parameters.filter((parameter) => parameter !== null), results, body };
}

/** The names of sizes, in the order in which they are written. */
export const sizesOf = ({ parameters }: Header): readonly string[] => [
  ...new Set(parameters.flatMap(({ dimensions }) => dimensions.filter((size) => /^[A-Za-z_]/.test(size)))),
];

/** The sizes of dimensions that a window slides with: k of `W(k)` beside `I(x + k)`. */
export function windowsOf({ parameters, body }: Header): readonly string[] {
  const accesses = [...body.matchAll(/([A-Za-z_]\w*)\s*\(([^()]*)\)/g)].map(([, name = '', indices = '']) => ({
    name,
    indices: partsOf(indices),
  }));
  const sliding = new Set(
    accesses.flatMap(({ indices }) => indices.filter((index) => index.includes('+'))).flatMap((sum) => wordsOf(sum)),
  );
  const names = accesses.flatMap(({ name, indices }) => {
    const dimensions = parameters.find((parameter) => parameter.name === name)?.dimensions ?? [];
    return dimensions.filter((_, place) => sliding.has(indices[place] ?? ''));
  });
  return [...new Set(names)];
}

/** How many values the ranges have that are written in numbers: 4 for `where i in 0:2, j in 0:2`. */
export const writtenSteps = ({ body }: Header): number =>
  [...body.matchAll(/\sin\s+(\d+)\s*:\s*(\d+)/g)].reduce(
    (steps, [, from, to]) => steps * Math.max(1, Number(to) - Number(from)),
    1,
  );

const wordsOf = (text: string): readonly string[] => text.match(/[A-Za-z_]\w*/g) ?? [];

/** Single integers, such as strides. */
export const integersOf = ({ parameters }: Header): readonly string[] =>
  parameters
    .filter(({ scalar, dimensions }) => dimensions.length === 0 && INTEGER.test(scalar))
    .map(({ name }) => name);

/** The roles of a comprehension's tensors; null where its text is not finished. */
export function rolesOfComprehension(expression: string): Roles | null {
  const header = headerOf(expression);
  if (header === null) return null;
  const results = header.results.map((name): [string, Role] => {
    const access = new RegExp(String.raw`(?<!\w)${name}\s*\(([^()]*)\)`).exec(header.body);
    return [name, { made: true, order: access === null ? 0 : partsOf(access[1] ?? '').length }];
  });
  const parameters = header.parameters.map(({ name, dimensions }): [string, Role] => [
    name,
    { made: false, order: dimensions.length, dimensions: dimensions.join(',') },
  ]);
  return Object.fromEntries([...results, ...parameters]);
}

function parameterOf(text: string): Parameter | null {
  const [, scalar = '', dimensions, name = ''] = PARAMETER.exec(text) ?? [];
  return name === '' ? null : { name, scalar, dimensions: dimensions === undefined ? [] : partsOf(dimensions) };
}

/** What stands between commas that are in no parentheses. */
function partsOf(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
