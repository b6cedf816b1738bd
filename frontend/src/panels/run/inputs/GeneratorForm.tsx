import type { DatasetView, GeneratorView, TensorView } from '../../../api/types';
import { CheckField } from '../../../components/CheckField';
import { NumberField } from '../../../components/NumberField';
import type { InputSpec } from '../../../plan/plan';
import { useComplaint } from '../../../state/editing/complaints';
import { useSelect } from '../../../state/store';
import { formatCount } from '../../../text/quantities';
import { sizeElsewhere } from './input-sizes';
import type { Size } from './input-sizes';

interface Props {
  readonly tensor: TensorView;
  readonly tensors: readonly TensorView[];
  readonly datasets: readonly DatasetView[];
  readonly generator: GeneratorView;
  readonly input: InputSpec;
  readonly onChange: (input: InputSpec) => void;
}

const LARGEST_SIZE = 2 ** 31 - 1;

/** The parameters of a generator, as the service describes them, and the shape. */
export function GeneratorForm({ tensor, tensors, datasets, generator, input, onChange }: Props) {
  const inputs = useSelect((state) => state.draft.inputs);
  const set = (part: InputSpec): void => onChange({ ...input, ...part });
  const shape = Array.isArray(input.shape) ? (input.shape as readonly number[]) : [];
  return (
    <div className="generator" role="group" aria-label={`Generator of ${tensor.name}`}>
      {tensor.dimensions.map((variable, dimension) => (
        <SizeField
          key={dimension}
          variable={variable}
          tensor={tensor.name}
          size={shape[dimension] ?? null}
          elsewhere={sizeElsewhere(variable, tensor.name, tensors, inputs, datasets)}
          onChange={(size) =>
            set({ shape: tensor.dimensions.map((_, at) => (at === dimension ? size : (shape[at] ?? 1))) })
          }
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
            of={tensor.name}
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

interface SizeProps {
  readonly variable: string;
  readonly tensor: string;
  readonly size: number | null;
  readonly elsewhere: Size | null;
  readonly onChange: (size: number) => void;
}

/** The size of one index variable; where another input says it already, that size and no other. */
function SizeField({ variable, tensor, size, elsewhere, onChange }: SizeProps) {
  const conflict = elsewhere !== null && elsewhere.size !== size;
  const complaint = conflict ? `${elsewhere.by} has ${formatCount(elsewhere.size)} of ${variable}.` : null;
  useComplaint(complaint === null ? null : `${tensor}, size of ${variable}: ${complaint}`);
  return (
    <span className="size-field">
      <NumberField
        of={tensor}
        label={`size of ${variable}`}
        value={size}
        integer
        minimum={0}
        maximum={LARGEST_SIZE}
        fixedBy={elsewhere?.fixed && !conflict ? `as in ${elsewhere.by}` : undefined}
        onChange={(next) => {
          if (next !== null) onChange(next);
        }}
      />
      {conflict && (
        <span className="complaint">
          {complaint}{' '}
          <button type="button" className="link-button" onClick={() => onChange(elsewhere.size)}>
            Use {formatCount(elsewhere.size)}
          </button>
        </span>
      )}
    </span>
  );
}

const numberOf = (value: InputSpec[string] | undefined): number | null => (typeof value === 'number' ? value : null);
