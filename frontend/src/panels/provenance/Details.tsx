import type { CompileView, RelationView, VariableView } from '../../api/types';
import type { NodeNumbers } from '../../viz/provenance/numbers';
import { derives, NOTHING_DERIVED } from './derived';
import { domainText } from './domain-text';
import type { ProvenanceNumbers } from './use-numbers';
import { Explained } from '../../components/Term';

/** Formulas of what the pointer or the focus was last on: `variable <name>` or `relation <index>`. */
export default function Details({
  result,
  subject,
  numbers,
}: {
  readonly result: CompileView;
  readonly subject: string | null;
  readonly numbers: ProvenanceNumbers | null;
}) {
  const [kind, name] = subject?.split(' ') ?? [];
  const relation = kind === 'relation' ? result.provenance?.relations[Number(name)] : undefined;
  const variable = kind === 'variable' ? result.variables.find((one) => one.name === name) : undefined;
  return (
    <div
      className="provenance-details"
      role="group"
      aria-label="Formulas"
      aria-live={numbers === null ? 'polite' : 'off'}
      tabIndex={0}
    >
      {relation && <RelationDetails relation={relation} command={commandText(result, relation.command)} />}
      {variable && (
        <VariableDetails
          variable={variable}
          relations={result.provenance?.relations ?? []}
          numbers={numbers?.get(variable.name)}
        />
      )}
      {!relation && !variable && (
        <p className="details-hint">
          <Explained>{hint(result)}</Explained>
        </p>
      )}
    </div>
  );
}

function hint(result: CompileView): string {
  return derives(result) ? 'Point at a part to see its formulas.' : NOTHING_DERIVED;
}

function commandText(result: CompileView, command: number | null): string {
  return command === null ? '' : `${command + 1} ${result.commands[command]?.text ?? ''}`;
}

function RelationDetails({ relation, command }: { relation: RelationView; command: string }) {
  return (
    <>
      <p className="details-title">
        <strong>{relation.kind}</strong> {relation.parents.join(', ')} → {relation.children.join(', ')}
        {command && <code>{command}</code>}
      </p>
      {relation.workspace !== null && <WorkspaceText {...relation} workspace={relation.workspace} />}
      <Formulas bounds={relation.bounds} recovery={relation.recover} />
    </>
  );
}

function WorkspaceText({ parents, children, workspace }: RelationView & { readonly workspace: string }) {
  return (
    <p className="details-hint">
      {`${workspace}(${children.join(', ')}) is computed first, in loops of its own; ${workspace}(${parents.join(', ')}) reads it afterwards.`}
    </p>
  );
}

interface VariableProperties {
  readonly variable: VariableView;
  readonly relations: readonly RelationView[];
  readonly numbers: NodeNumbers | undefined;
}

function VariableDetails({ variable, relations, numbers }: VariableProperties) {
  const { name } = variable;
  const parents = relations.filter((one) => one.children.includes(name)).flatMap((one) => one.parents);
  const children = relations.filter((one) => one.parents.includes(name)).flatMap((one) => one.children);
  const facts = [
    `${variable.space} variable`,
    variable.reduction ? 'reduction' : '',
    variable.loop ? 'has a loop' : '',
    parents.length > 0 ? `from ${[...new Set(parents)].join(', ')}` : 'from the expression',
    children.length > 0 ? `into ${[...new Set(children)].join(', ')}` : '',
  ];
  return (
    <>
      <p className="details-title">
        <em>{name}</em> {facts.filter(Boolean).join(' · ')}
      </p>
      <Formulas
        bounds={[variable.bounds, numbers?.domain ? `${name} ${domainText(numbers.domain)}` : ''].filter(Boolean)}
        recovery={[variable.recovery, numbers?.recovery].filter((text) => text !== null && text !== undefined)}
      />
    </>
  );
}

function Formulas({ bounds, recovery }: { bounds: readonly string[]; recovery: readonly string[] }) {
  const rows = [
    { role: 'bounds', icon: '⟷', label: 'Bounds', lines: bounds },
    { role: 'recovery', icon: '↩', label: 'Recovery', lines: recovery },
  ];
  return (
    <dl className="details-formulas">
      {rows
        .filter((row) => row.lines.length > 0)
        .map((row) => (
          <div key={row.role} className={`details-${row.role}`}>
            <dt>
              <span aria-hidden="true">{row.icon}</span> {row.label}
            </dt>
            {row.lines.map((line) => (
              <dd key={line}>{line}</dd>
            ))}
          </div>
        ))}
    </dl>
  );
}
