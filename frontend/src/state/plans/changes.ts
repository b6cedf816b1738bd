/** Every way in which the plan can change. The store applies them through one gateway, so that undo sees all of them. */
import type { FixView } from '../../api/types';
import { changeRow, withCommands } from '../../schedule/schedule-lines';
import type { RowChange } from '../../schedule/schedule-lines';
import { withEntry } from '../../plan/entries';
import { CONVERSIONS } from '../../plan/plan';
import type { Conversion, Draft, TensorSpec } from '../../plan/plan';
import { broughtBack, settled, withExpression, withoutChoice } from '../../plan/set-aside';
import type { FitsOrder } from '../../plan/set-aside';
import type { Target } from '../../plan/targets';
import { catalog } from '../catalog';

export type Change =
  | { readonly kind: 'expression'; readonly text: string }
  | { readonly kind: 'schedule'; readonly text: string }
  | { readonly kind: 'row'; readonly change: RowChange }
  | { readonly kind: 'format'; readonly tensor: string; readonly text: string }
  | { readonly kind: 'dtype'; readonly tensor: string; readonly dtype: string | null }
  | { readonly kind: 'shape'; readonly tensor: string; readonly shape: readonly number[] }
  | { readonly kind: 'target'; readonly target: Target }
  /** The input of a tensor, with those of the others that take their sizes from it, and the sizes that no input says. */
  | {
      readonly kind: 'input';
      readonly tensor: string;
      readonly inputs: Draft['inputs'];
      readonly sizes?: Draft['sizes'];
    }
  /** What the parameters of a program are taken from, with formats and data of those tensors that have none. */
  | {
      readonly kind: 'arguments';
      readonly entries: Draft['arguments'];
      readonly formats: Readonly<Record<string, string>>;
      readonly inputs: Draft['inputs'];
      readonly sizes: Draft['sizes'];
    }
  | { readonly kind: 'forget'; readonly tensor: string }
  /** What was set aside for a tensor, in the plan again. */
  | { readonly kind: 'bring back'; readonly tensor: string }
  | { readonly kind: 'sizes'; readonly sizes: Draft['sizes'] }
  | { readonly kind: 'baselines'; readonly names: readonly string[] }
  | { readonly kind: 'threads'; readonly threads: number | null }
  | { readonly kind: 'convert'; readonly convert: Conversion }
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'fix'; readonly fix: FixView }
  | { readonly kind: 'open'; readonly draft: Draft };

export function applyChange(draft: Draft, change: Change): Draft {
  switch (change.kind) {
    case 'expression':
      return draft.expression === change.text ? draft : withExpression(draft, change.text, fitsOrder);
    case 'schedule':
      return { ...draft, schedule: change.text };
    case 'row':
      return { ...draft, schedule: changeRow(draft.schedule, change.change) };
    case 'format':
      return withoutChoice(
        { ...draft, tensors: withSpec(draft, change.tensor, { format: change.text || undefined }) },
        change.tensor,
      );
    case 'dtype':
      return { ...draft, tensors: withSpec(draft, change.tensor, { dtype: change.dtype ?? undefined }) };
    case 'shape':
      return { ...draft, tensors: withSpec(draft, change.tensor, { shape: change.shape }) };
    case 'target':
      return { ...draft, target: change.target };
    case 'input':
      return withoutChoice({ ...draft, inputs: change.inputs, sizes: change.sizes ?? draft.sizes }, change.tensor);
    case 'arguments':
      return { ...withArguments(draft, change.entries, change.formats), inputs: change.inputs, sizes: change.sizes };
    case 'forget':
      return withoutChoice(draft, change.tensor);
    case 'bring back':
      return broughtBack(draft, change.tensor);
    case 'sizes':
      return { ...draft, sizes: change.sizes };
    case 'baselines':
      return { ...draft, baselines: change.names };
    case 'threads':
      return { ...draft, threads: change.threads };
    case 'convert':
      return { ...draft, convert: change.convert };
    case 'version':
      return { ...draft, version: change.version };
    case 'fix':
      return applyFix(draft, change.fix);
    case 'open':
      return settled(change.draft);
    default:
      throw new Error(`unexpected change ${JSON.stringify(change satisfies never)}`);
  }
}

/** Changes with the same key in quick succession are one step of undo; null never joins. */
export function mergeKey(change: Change): string | null {
  switch (change.kind) {
    case 'expression':
    case 'schedule':
    case 'threads':
    case 'sizes':
      return change.kind;
    case 'row':
      return change.change.kind === 'write' ? `row ${change.change.line}` : null;
    case 'format':
    case 'input':
      return `${change.kind} ${change.tensor}`;
    default:
      return null;
  }
}

/** By the list of formats of the service; levels that somebody wrote out were written for that many indices. */
const fitsOrder: FitsOrder = (format, order) => {
  const stem = (text: string): string => text.trim().replace(/\(.*/, '');
  const preset = catalog.get().formats.find(({ name }) => stem(name) === stem(format));
  return preset !== undefined && (preset.order ?? order) === order;
};

function applyFix(before: Draft, fix: FixView): Draft {
  const draft = fix.expression ? withExpression(before, fix.expression, fitsOrder) : before;
  const formats = Object.entries(fix.formats ?? {});
  const tensors = { ...draft.tensors };
  for (const [name, format] of formats) tensors[name] = { ...tensors[name], format };
  return {
    ...draft,
    schedule: fix.schedule ? withCommands(draft.schedule, fix.schedule) : draft.schedule,
    tensors,
    convert: CONVERSIONS.find((conversion) => conversion === fix.options?.convert) ?? draft.convert,
  };
}

function withArguments(draft: Draft, entries: Draft['arguments'], formats: Readonly<Record<string, string>>): Draft {
  const tensors = { ...draft.tensors };
  for (const [name, format] of Object.entries(formats)) tensors[name] = { format, ...tensors[name] };
  return { ...draft, arguments: entries, tensors };
}

type SpecPart = { readonly [Key in keyof TensorSpec]?: TensorSpec[Key] | undefined };

function withSpec(draft: Draft, tensor: string, part: SpecPart) {
  const merged = Object.entries({ ...draft.tensors[tensor], ...part }).filter(([, value]) => value !== undefined);
  const spec = merged.length > 0 ? (Object.fromEntries(merged) as TensorSpec) : null;
  return withEntry(draft.tensors, tensor, spec);
}
