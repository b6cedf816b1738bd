import type { DiagnosticView } from '../../../api/types';
import { diagnosticsOf } from '../../../state/diagnostics';
import { useTensors } from '../../../state/loading/expected';
import { useSelect } from '../../../state/store';
import { InputPicker } from './InputPicker';

/** What compiling, or the last run, said about the inputs. */
export function useInputDiagnostics(): readonly DiagnosticView[] {
  const compiled = useSelect(diagnosticsOf);
  const refused = useSelect((state) => state.run.problem?.diagnostics ?? state.run.view?.problem?.diagnostics);
  return [...compiled, ...(refused ?? [])].filter(({ location }) => location?.part === 'input');
}

/** The data that the kernel will run on, one row per operand. */
export function InputList() {
  const tensors = useTensors();
  const diagnostics = useInputDiagnostics();
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
