import type { GeneratorView, TensorView } from '../../api/types';
import { CheckField } from '../../components/CheckField';
import { NumberField } from '../../components/NumberField';
import type { InputSpec } from '../../plan/plan';
import { useStore } from '../../state/store';

interface Props {
  readonly tensor: TensorView;
  readonly generator: GeneratorView;
  readonly input: InputSpec;
}

const LARGEST_SIZE = 2 ** 31 - 1;

/** The parameters of a generator, as the service describes them, and the shape. */
export function GeneratorForm({ tensor, generator, input }: Props) {
  const store = useStore();
  const set = (part: InputSpec): void =>
    store.update({ kind: 'input', tensor: tensor.name, input: { ...input, ...part } });
  const shape = Array.isArray(input.shape) ? (input.shape as readonly number[]) : [];
  return (
    <div className="generator" role="group" aria-label={`Generator of ${tensor.name}`}>
      {tensor.dimensions.map((variable, dimension) => (
        <NumberField
          key={dimension}
          label={`size of ${variable}`}
          value={shape[dimension] ?? null}
          integer
          minimum={0}
          maximum={LARGEST_SIZE}
          onChange={(size) => {
            if (size !== null)
              set({ shape: tensor.dimensions.map((_, at) => (at === dimension ? size : (shape[at] ?? 1))) });
          }}
        />
      ))}
      {generator.parameters.map((parameter) =>
        parameter.kind === 'boolean' ? (
          <CheckField
            key={parameter.name}
            label={parameter.title}
            checked={(input[parameter.name] ?? parameter.default) !== 0}
            onChange={(checked) => set({ [parameter.name]: checked ? 1 : 0 })}
          />
        ) : (
          <NumberField
            key={parameter.name}
            label={parameter.title}
            value={numberOf(input[parameter.name])}
            integer={parameter.kind === 'integer'}
            minimum={parameter.minimum ?? -Infinity}
            maximum={parameter.maximum ?? Infinity}
            onChange={(value) => {
              if (value !== null) set({ [parameter.name]: value });
            }}
          />
        ),
      )}
    </div>
  );
}

const numberOf = (value: InputSpec[string] | undefined): number | null => (typeof value === 'number' ? value : null);
