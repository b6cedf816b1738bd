import type { CommandSpecView, DiagnosticView } from '../../api/types';
import { DiagnosticList } from '../../components/DiagnosticList';
import type { ScheduleRow } from '../../schedule/schedule-lines';
import { useStore } from '../../state/store';

interface Props {
  readonly row: ScheduleRow;
  readonly label: string;
  readonly spec: CommandSpecView | undefined;
  readonly diagnostics: readonly DiagnosticView[];
  readonly onDisable: () => void;
}

/** Why a command was refused: the evidence in this program, the rule behind it, the nearest legal alternative. */
export function Explain({ row, label, spec, diagnostics, onDisable }: Props) {
  const store = useStore();
  if (diagnostics.length === 0) return null;
  const refused = diagnostics.some(({ severity }) => severity === 'error');
  return (
    <div className="explain">
      <DiagnosticList label={label} diagnostics={diagnostics} onFix={(fix) => store.update({ kind: 'fix', fix })} />
      {refused && (
        <div className="explain-rest">
          <button
            type="button"
            className="button"
            onClick={onDisable}
            data-tip="The row stays, but is left out of the plan"
          >
            Disable {row.name}
          </button>
          {spec && spec.preconditions.length > 0 && (
            <details>
              <summary>The rule</summary>
              <p className="caption">
                <code>{spec.signature}</code> needs:
              </p>
              <ul className="explain-rules caption">
                {spec.preconditions.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
              <p className="caption muted">
                Refused as <code>{diagnostics.map(({ code }) => code).join(', ')}</code>
              </p>
            </details>
          )}
        </div>
      )}
    </div>
  );
}
