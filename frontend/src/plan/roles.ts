/** What each tensor of an expression is, read from the text itself, so that it is known at every keystroke. */

export interface Role {
  /** The result or a workspace: the kernel writes it first, so that it takes no data. */
  readonly made: boolean;
  /** How many indices it has. */
  readonly order: number;
  /** As a comprehension declares them: a shape that was chosen for others is none for these. */
  readonly dimensions?: string;
  /** How a parameter of patterns lies in memory: other data than those that were chosen belong to another layout. */
  readonly layout?: string;
}

export type Roles = Readonly<Record<string, Role>>;

const NAME = String.raw`[A-Za-z]\w*`;
const INDICES = String.raw`(?:\([^()=]*\)|\{[^{}=]*\})?`;
const ASSIGN = String.raw`(?:\+|\*|min|max|\||&)?=(?!=)`;
/** A line that begins like an assignment begins the next statement; any other line goes on with the one above. */
const STATEMENTS = new RegExp(String.raw`;|\n(?=\s*${NAME}\s*${INDICES}\s*${ASSIGN})`);
const TARGET = new RegExp(String.raw`^\s*(${NAME})\s*(${INDICES})\s*${ASSIGN}`);
const ACCESS = /([A-Za-z]\w*)\s*(?:\(([\w\s,]*)\)|\{([\w\s,]*)\})?/g;
/** More is to come behind these. */
const UNFINISHED = /[-+*/(,{<>=!]\s*$/;

/** Null for a text that cannot be read yet, such as one that somebody is typing. */
export function rolesOf(expression: string): Roles | null {
  const roles: Record<string, Role> = {};
  const statements = expression.split(STATEMENTS).filter((statement) => statement.trim() !== '');
  if (statements.length === 0) return null;
  for (const statement of statements) {
    const target = TARGET.exec(statement);
    const computed = statement.slice(target?.[0].length ?? 0);
    if (target === null || computed.trim() === '' || UNFINISHED.test(computed) || !isBalanced(computed)) return null;
    const [, name = '', indices = ''] = target;
    const [written, order] = subscripted(name, indices === '' ? undefined : indices.slice(1, -1));
    roles[written] ??= { made: true, order };
    for (const [, operand = '', inParentheses, inBraces] of computed.matchAll(ACCESS)) {
      const [read, count] = subscripted(operand, inParentheses ?? inBraces);
      roles[read] ??= { made: false, order: count };
    }
  }
  return roles;
}

/** `A_i` and `A_{i,j}` are TACO's `A(i)` and `A(i,j)`. */
function subscripted(name: string, indices: string | undefined): [string, number] {
  if (indices === undefined) {
    const underscore = name.indexOf('_');
    return underscore > 0 ? [name.slice(0, underscore), 1] : [name, 0];
  }
  return [name.replace(/(?<=.)_$/, ''), indices.split(',').length];
}

function isBalanced(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === '(' || character === '{') open++;
    if (character === ')' || character === '}') open--;
    if (open < 0) return false;
  }
  return open === 0;
}
