import { useCatalog } from '../state/catalog';
import { completionsOf } from '../viz/composition/completions';

interface Props {
  readonly tensor: string;
  readonly order: number;
  readonly text: string;
  readonly onChoose: (text: string) => void;
}

/** While a sum of parts is being written: the quantities that a test may ask, the formats that a part may have. */
export function FormatCompletions({ tensor, order, text, onChoose }: Props) {
  const presets = useCatalog((catalog) => catalog.formats);
  const quantities = useCatalog((catalog) => catalog.quantities);
  const found = completionsOf(text, order, presets, quantities);
  if (found.length === 0) return null;
  return (
    <div className="format-completions" role="group" aria-label={`Completions for ${tensor}`}>
      {found.map(({ label, text: next, summary }) => (
        <button key={label} type="button" className="button" data-tip={summary} onClick={() => onChoose(next)}>
          <code>{label}</code>
        </button>
      ))}
    </div>
  );
}
