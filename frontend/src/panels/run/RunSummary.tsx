import type { DatasetView, GeneratorView } from '../../api/types';
import { TARGETS } from '../../plan/targets';
import type { InputSpec } from '../../plan/plan';
import { useCatalog } from '../../state/catalog';
import { useTensors } from '../../state/loading/expected';
import { useSelect, useStore } from '../../state/store';
import { counted } from '../../text/quantities';
import { comparedWith } from './baseline-choice';
import { choiceOf } from './inputs/input-choice';

/** What a run will do, in one line; it opens the form in which each of these is chosen. */
export function RunSummary({ open }: { readonly open: boolean }) {
  const store = useStore();
  const { inputs, target, threads, baselines } = useSelect((state) => state.draft);
  const tensors = useTensors();
  const { datasets, generators, machine, baselines: offered } = useCatalog((catalog) => catalog);
  const operands = tensors.filter(({ result }) => !result);
  const cores = threads ?? machine?.cores ?? null;
  const names = comparedWith(baselines, tensors, target).map(
    (name) => offered.find((baseline) => baseline.name === name)?.title ?? name,
  );
  return (
    <button
      type="button"
      className="button quiet run-summary"
      aria-expanded={open}
      data-tip="Inputs, target, threads, and what to compare with"
      onClick={() => store.look({ inputs: !open })}
    >
      <span aria-hidden="true">{open ? '▾' : '▸'}</span>
      {operands.map(({ name }) => (
        <span key={name}>
          <code>{name}</code> {inputInWords(inputs[name], datasets, generators)}
        </span>
      ))}
      <span className="muted">
        {TARGETS[target].title}
        {target === 'c' && cores !== null && `, ${counted(cores, 'thread')}`}
      </span>
      {names.length > 0 && <span className="muted">beside {names.join(', ')}</span>}
    </button>
  );
}

/** Where the data of an operand come from, in a word or two. */
export function inputInWords(
  input: InputSpec | undefined,
  datasets: readonly Pick<DatasetView, 'id' | 'name'>[],
  generators: readonly Pick<GeneratorView, 'name' | 'title'>[],
): string {
  const [kind = '', ...rest] = choiceOf(input).split(' ');
  const name = rest.join(' ');
  switch (kind) {
    case 'dataset':
      return datasets.find(({ id }) => id === name)?.name ?? name;
    case 'generator':
      return (generators.find((generator) => generator.name === name)?.title ?? name).toLowerCase();
    default:
      return 'random';
  }
}
