/** What the field of a command's argument offers and accepts: from the kind of the parameter and the program so far. */
import type { CommandSpecView, CompileView, ParameterView } from '../../api/types';
import type { Knowledge } from '../../editor/knowledge';
import { argumentOptions, variablesAfter } from '../../editor/schedule/schedule-completion';
import { printCommand } from '../../schedule/schedule-lines';
import { parseSchedule } from '../../schedule/schedule-syntax';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface Field {
  readonly parameter: ParameterView;
  /** Place of the argument in the command. */
  readonly position: number;
  readonly value: string;
  /** What the program offers here, the given value among them; null where any text may be written. */
  readonly choices: readonly Choice[] | null;
  /** False when the program does not offer the given value. */
  readonly known: boolean;
  /** The command is for parts, whose names are those of the program of one part and whose numbers may be computed. */
  readonly ofParts: boolean;
}

/** The parameter of each argument: the last one repeats when it takes any number of variables. */
export function fieldsOf(
  spec: CommandSpecView,
  given: readonly string[],
  earlier: string,
  knowledge: Knowledge,
  ofParts = false,
): Field[] {
  const last = spec.parameters.at(-1);
  const extra = last?.kind === 'variables' ? given.slice(spec.parameters.length).map(() => last) : [];
  return [...spec.parameters, ...extra].map((parameter, position) => {
    const value = given[position] ?? '';
    const choices = (ofParts ? parameter.kind === 'enumeration' : isChosen(parameter, spec))
      ? choicesOf(spec, position, earlier, given, knowledge, parameter.optional || position >= spec.parameters.length)
      : null;
    const known = choices === null || choices.some((choice) => choice.value === value);
    return {
      parameter,
      position,
      value,
      known,
      ofParts,
      choices:
        known || choices === null ? choices : [{ value, label: value === '' ? 'choose' : `${value} ?` }, ...choices],
    };
  });
}

/** What shares a loop of parts names it as in the program of one part, which lists no loops. */
const isChosen = ({ kind }: ParameterView, spec: CommandSpecView): boolean =>
  kind === 'variable'
    ? spec.parameters.every((other) => other.kind !== 'parts')
    : kind === 'variables' || kind === 'tensor' || kind === 'enumeration';

function choicesOf(
  spec: CommandSpecView,
  position: number,
  earlier: string,
  given: readonly string[],
  knowledge: Knowledge,
  removable: boolean,
): Choice[] {
  const options = argumentOptions(knowledge, spec.name, position, parseSchedule(earlier), given)
    // A variable that an earlier command replaced is no candidate any more.
    .filter((option) => option.detail !== 'replaced')
    .map(({ label }) => ({ value: label, label }));
  return removable ? [{ value: '', label: '–' }, ...options] : options;
}

/** Why `text` cannot stand as an argument of this kind, or null. Such text stays in the field and out of the schedule. */
export function complaintAbout({ kind, optional }: ParameterView, text: string, ofParts = false): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return optional ? null : 'A value is needed here.';
  switch (kind) {
    case 'integer':
      if (ofParts && /[A-Za-z*/+(]/.test(trimmed))
        return complaintAboutBalance(trimmed.replaceAll(/m(?:in|ax)\([^()]*\)/g, '1'));
      return /^-?\d+$/.test(trimmed) ? null : `“${trimmed}” is not a whole number.`;
    case 'variable':
    case 'variables':
    case 'new-variable':
    case 'tensor':
    case 'temporary':
    case 'new-tensor':
    case 'enumeration':
      return /^[A-Za-z_]\w*$/.test(trimmed) ? null : `“${trimmed}” is not a name: letters, digits and _ only.`;
    case 'variable-set':
    case 'new-variable-set':
      return /^([A-Za-z_]\w*|\{\s*[A-Za-z_]\w*(\s*,\s*[A-Za-z_]\w*)*\s*\})$/.test(trimmed)
        ? null
        : `“${trimmed}” is neither a name nor names in braces, such as {i, j}.`;
    case 'parts':
      return /^[A-Za-z_]\w*\s*\[[^[\]]+\]$/.test(trimmed)
        ? null
        : `“${trimmed}” are not parts of a tensor, such as A[*].`;
    case 'expression':
      return complaintAboutBalance(trimmed);
    default:
      throw new Error(`unexpected parameter kind ${String(kind satisfies never)}`);
  }
}

function complaintAboutBalance(text: string): string | null {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    else if (character === ')') depth--;
    if (depth < 0) return 'There is a closing parenthesis without an opening one.';
    if (character === ',' && depth === 0) return 'There is a comma outside the parentheses.';
    if (character === '#') return 'A # would start a comment.';
  }
  return depth > 0 ? 'A parenthesis is not closed.' : null;
}

/** A new row for a command: current variables, fresh names, the first of each choice. */
export function draftCommand(spec: CommandSpecView, schedule: string, knowledge: Knowledge): string {
  const earlier = parseSchedule(schedule);
  const loops = loopsOf(knowledge.result);
  const current = variablesAfter(knowledge.commands, knowledge.result, earlier)
    .filter((variable) => variable.current)
    .map(({ name }) => name)
    .sort((left, right) => loops.indexOf(left) - loops.indexOf(right));
  const taken: string[] = [];
  for (const [position, parameter] of spec.parameters.entries()) {
    if (parameter.optional) break;
    if (parameter.kind === 'variables') taken.push(...current.slice(0, 2).reverse());
    else if (parameter.kind === 'variable' || parameter.kind === 'variable-set')
      taken.push(current.find((name) => !taken.includes(name)) ?? '');
    else if (parameter.kind === 'integer') taken.push('32');
    // A first choice that switches the command off again (NotParallel) teaches nothing.
    else if (parameter.kind === 'enumeration')
      taken.push(parameter.choices.find((one) => !/^Not[A-Z]/.test(one)) ?? '');
    else taken.push(argumentOptions(knowledge, spec.name, position, earlier, taken)[0]?.label ?? '');
  }
  return printCommand(spec.name, taken);
}

const loopsOf = (result: CompileView | null): string[] => result?.graph?.nodes.map(({ variable }) => variable) ?? [];
