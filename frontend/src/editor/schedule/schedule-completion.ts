/** Completion for the schedule: commands, current variables, fresh names, tensors and enumeration values. */
import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import { startCompletion } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import type { CommandSpecView, CompileView, ParameterView } from '../../api/types';
import { knowledgeField } from '../knowledge';
import type { Knowledge } from '../knowledge';
import { identifiersOf, parseSchedule, placeAt } from '../../schedule/schedule-syntax';
import type { CommandLine } from '../../schedule/schedule-syntax';

const SIZES = ['2', '4', '8', '16', '32', '64', '128', '256'];

export const scheduleCompletion: CompletionSource = (context: CompletionContext): CompletionResult | null => {
  const line = context.state.doc.lineAt(context.pos);
  const place = placeAt(context.state.sliceDoc(line.from, context.pos));
  if (place === null || (!context.explicit && place.from === context.pos - line.from && place.kind === 'command')) {
    return null;
  }
  const knowledge = context.state.field(knowledgeField);
  const from = line.from + place.from;
  if (place.kind === 'command') return { from, options: commandOptions(knowledge), validFor: /^\w*$/ };
  const earlier = parseSchedule(context.state.sliceDoc(0, line.from));
  const own = parseSchedule(line.text)[0];
  const typed = own?.arguments.map((token) => token.text) ?? [];
  const selected = (own?.selector ?? null) !== null;
  const options = argumentOptions(knowledge, place.command, place.position, earlier, typed, selected);
  return options.length > 0 ? { from, options, validFor: /^\w*$/ } : null;
};

/** Every command; those between the parts of an operand come last where no operand has parts. Where one has, a command
 *  may begin with them. */
export function commandOptions({ commands, result }: Knowledge): Completion[] {
  const sums = (result?.tensors ?? []).filter(({ format }) => isSumOfParts(format));
  const options = commands.map((spec) => {
    const needsParts = spec.parameters.some(({ kind }) => kind === 'parts');
    return needsParts && sums.length === 0 ? { ...commandOption(spec), boost: -99 } : commandOption(spec);
  });
  return [...sums.map(({ name }) => selectorOption(name)), ...options];
}

const selectorOption = (tensor: string): Completion => ({
  label: `${tensor}[*]: `,
  type: 'class',
  detail: 'for all parts',
  info: `The command after it is applied to every part of ${tensor}, or to none.`,
});

const isSumOfParts = (format: string): boolean => /\+|^\s*hyb\(/.test(format);

function commandOption(spec: CommandSpecView): Completion {
  const apply = (view: EditorView, _completion: Completion, from: number, to: number): void => {
    const bracket = view.state.sliceDoc(to, to + 1) === '(' ? '' : '(';
    const cursor = from + spec.name.length + 1;
    view.dispatch({ changes: { from, to, insert: spec.name + bracket }, selection: { anchor: cursor } });
    startCompletion(view);
  };
  return {
    label: spec.name,
    type: 'function',
    detail: spec.signature.slice(spec.name.length),
    info: spec.summary,
    apply,
  };
}

/** What the arithmetic of a command for parts may ask of each. */
const CONSTANTS: Readonly<Record<string, string>> = {
  width: 'slots of a row of the part',
  widest: 'the largest width of all parts',
  height: 'rows of a block of the part',
  part: 'the number of the part, from 0',
  parts: 'how many parts there are',
};

/** Options for argument number `position` of `command`; `typed` holds the arguments of the line as they stand.
 *  `selected`: parts stand in front of the command, whose variables are then those of the program of one part. */
export function argumentOptions(
  { commands, result }: Knowledge,
  command: string,
  position: number,
  earlier: readonly CommandLine[],
  typed: readonly string[],
  selected = false,
): Completion[] {
  const parameters = commands.find((spec) => spec.name === command)?.parameters ?? [];
  const last = parameters.at(-1);
  const parameter = parameters[position] ?? (last?.kind === 'variables' ? last : undefined);
  if (parameter === undefined) return [];
  const ofParts = selected || parameters.some(({ kind }) => kind === 'parts');
  const variables = (ofParts ? variablesOfParts : variablesAfter)(commands, result, earlier);
  switch (parameter.kind) {
    case 'variable':
    case 'variables':
    case 'variable-set':
      return variables.map(({ name, current, detail }) => ({
        label: name,
        type: 'variable',
        detail,
        boost: current ? 1 : -1,
      }));
    case 'new-variable':
      return freshNames(parameters, parameter, typed, new Set(variables.map(({ name }) => name))).map((label) => ({
        label,
        type: 'variable',
        detail: 'new',
      }));
    case 'new-variable-set':
      return copiesOf(parameters, typed).map((label) => ({ label, type: 'variable', detail: 'new' }));
    case 'new-tensor':
      return [{ label: 'w', type: 'class', detail: 'new' }];
    case 'integer':
      return [
        ...(selected ? Object.entries(CONSTANTS) : []).map(([label, detail]) => ({ label, type: 'constant', detail })),
        ...SIZES.map((label, index) => ({ label, type: 'constant', boost: -index })),
      ];
    case 'tensor':
      return (result?.tensors ?? []).map((tensor) => ({ label: tensor.name, type: 'class', detail: tensor.format }));
    case 'temporary':
      return (result?.temporaries ?? []).map(({ name }) => ({ label: name, type: 'class', detail: 'temporary' }));
    case 'parts':
      return (result?.tensors ?? [])
        .filter(({ format }) => isSumOfParts(format))
        .map(({ name }) => ({ label: `${name}[*]`, type: 'class', detail: 'all parts' }));
    case 'enumeration':
      return parameter.choices.map((label) => ({ label, type: 'enum', info: parameter.doc }));
    case 'expression':
      return (result?.tensors ?? [])
        .filter((tensor) => !tensor.result)
        .map((tensor) => ({ label: `${tensor.name}(${tensor.dimensions.join(',')})`, type: 'class' }));
    default:
      throw new Error(`unexpected parameter kind ${String(parameter.kind satisfies never)}`);
  }
}

interface KnownVariable {
  readonly name: string;
  /** False when an earlier command replaced the variable by others. */
  readonly current: boolean;
  readonly detail: string;
}

/** Variables of the expression and of the commands above, replaced ones marked. */
export function variablesAfter(
  commands: readonly CommandSpecView[],
  result: CompileView | null,
  earlier: readonly CommandLine[],
): KnownVariable[] {
  const current = new Map<string, boolean>();
  for (const variable of result?.variables ?? []) if (variable.underived) current.set(variable.name, true);
  for (const line of earlier) {
    const parameters = commands.find((spec) => spec.name === line.name?.text)?.parameters ?? [];
    // What is made for parts has other names in each; a loop that parts share has the name that it is called by.
    if (line.selector !== null) continue;
    const ofParts = parameters.some(({ kind }) => kind === 'parts');
    const makes = parameters.some((parameter) => parameter.kind === 'new-variable');
    line.arguments.forEach((token, index) => {
      const kind = parameters[index]?.kind;
      if (kind === 'new-variable' || kind === 'new-variable-set') {
        for (const { text } of identifiersOf(token)) current.set(text, true);
      } else if (kind === 'variable' && ofParts) current.set(token.text, true);
      else if (kind === 'variable' && makes) current.set(token.text, false);
    });
  }
  return [...current].map(([name, isCurrent]) => ({
    name,
    current: isCurrent,
    detail: isCurrent ? (result?.variables.find((variable) => variable.name === name)?.space ?? 'derived') : 'replaced',
  }));
}

/** Variables of the expression, and those that commands for parts made: each part has its own under these names. */
function variablesOfParts(
  commands: readonly CommandSpecView[],
  result: CompileView | null,
  earlier: readonly CommandLine[],
): KnownVariable[] {
  const current = new Map<string, boolean>();
  for (const { dimensions } of result?.tensors ?? []) for (const name of dimensions) current.set(name, true);
  for (const line of earlier) {
    if (line.selector === null) continue;
    const parameters = commands.find((spec) => spec.name === line.name?.text)?.parameters ?? [];
    const makes = parameters.some(({ kind }) => kind === 'new-variable');
    line.arguments.forEach((token, index) => {
      const kind = parameters[index]?.kind;
      if (kind === 'new-variable') current.set(token.text, true);
      else if (kind === 'variable' && makes) current.set(token.text, false);
    });
  }
  return [...current].map(([name, isCurrent]) => ({
    name,
    current: isCurrent,
    detail: isCurrent ? 'in each part' : 'replaced',
  }));
}

/** Names for the producer's copies of a set of variables: `i` gives iw, `{i,j}` gives {iw,jw}. */
function copiesOf(parameters: readonly ParameterView[], typed: readonly string[]): string[] {
  const set = typed[parameters.findIndex(({ kind }) => kind === 'variable-set')] ?? '';
  return set === '' ? [] : [set.replaceAll(/[A-Za-z_]\w*/g, (name) => `${name}w`)];
}

/** Names for a new variable after its parents: `i` gives i0 and i1, `i` and `j` give ij, pos gives ipos. */
export function freshNames(
  parameters: readonly ParameterView[],
  parameter: ParameterView,
  typed: readonly string[],
  taken: ReadonlySet<string>,
): string[] {
  const parents = typed.filter((text, index) => parameters[index]?.kind === 'variable' && text !== '');
  const made = parameters.filter((other) => other.kind === 'new-variable');
  const number = made.indexOf(parameter);
  const stem = parents.join('');
  const wishes = made.length > 1 ? [`${stem}${number}`] : parents.length > 1 ? [stem, 'f'] : [`${stem}pos`, `${stem}p`];
  return wishes.filter((wish) => stem !== '' && !taken.has(wish) && !typed.includes(wish));
}
