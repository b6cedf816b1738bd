import type { NamedLine } from './legend';
import './plot-legend.css';

interface Props {
  readonly lines: readonly NamedLine[];
  readonly hidden: readonly string[];
  readonly onToggle: (name: string) => void;
}

/** The names of many lines, beside the plot or below it; pressing one hides its line. */
export function PlotLegend({ lines, hidden, onToggle }: Props) {
  return (
    <div className="plot-legend" role="group" aria-label="Lines of the figure">
      {lines.map((line, place) => (
        <button
          key={place}
          type="button"
          aria-pressed={!hidden.includes(line.name)}
          data-tip={hidden.includes(line.name) ? `Show ${line.name}` : `Hide ${line.name}`}
          onClick={() => onToggle(line.name)}
        >
          <Sample line={line} />
          {line.name}
        </button>
      ))}
    </div>
  );
}

function Sample({ line: { colour, line, bar, dashes, outline } }: { readonly line: NamedLine }) {
  const paint = colour ?? 'currentColor';
  return (
    <svg viewBox="-14 -6 28 12" width={28} height={12} aria-hidden="true">
      {line && <path d="M-14 0H14" stroke={paint} strokeWidth={2} strokeDasharray={dashes} />}
      {bar && <rect x={-10} y={-5} width={20} height={10} fill={paint} />}
      {outline !== '' && (bar ? <path d={outline} fill="none" stroke="white" /> : <path d={outline} fill={paint} />)}
    </svg>
  );
}
