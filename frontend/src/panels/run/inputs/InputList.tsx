import type { TensorView } from '../../../api/types';
import { diagnosticsOf } from '../../../state/diagnostics';
import { useSelect } from '../../../state/store';
import { InputPicker } from './InputPicker';

const NO_TENSORS: readonly TensorView[] = [];

/** The data that the kernel will run on, one row per operand. */
export function InputList() {
  const tensors = useSelect((state) => state.compile.shown?.tensors ?? NO_TENSORS);
  const compiled = useSelect(diagnosticsOf);
  const refused = useSelect((state) => state.run.problem?.diagnostics ?? state.run.view?.problem?.diagnostics);
  const diagnostics = [...compiled, ...(refused ?? [])];
  return (
    <ul className="inputs">
      {tensors
        .filter((tensor) => !tensor.result)
        .map((tensor) => (
          <InputPicker
            key={tensor.name}
            tensor={tensor}
            tensors={tensors}
            diagnostics={diagnostics.filter(
              ({ location }) => location?.part === 'input' && location.tensor === tensor.name,
            )}
          />
        ))}
    </ul>
  );
}
