import { useMemo, useState } from 'react';
import type { PointerEvent, FocusEvent, ReactNode } from 'react';
import type { CompileView, ProvenanceView } from '../../api/types';
import type { Arrow, ProvenanceLayout } from '../../viz/provenance/layout';
import DiagramCanvas from '../../components/diagram/DiagramCanvas';
import { useDrawings } from '../../components/diagram/use-drawings';
import Details from './Details';
import './provenance.css';
import ProvenanceTable from './ProvenanceTable';
import RelationBox from './RelationBox';
import type { ProvenanceNumbers } from './use-numbers';
import VariableNode from './VariableNode';

interface Properties {
  readonly result: CompileView;
  /** What to show at each variable next to its formulas. */
  readonly numbers?: ProvenanceNumbers | null;
  readonly controls?: ReactNode;
  readonly footer?: ReactNode;
  /** Tells two graphs on one page apart. */
  readonly label?: string;
}

/** The provenance graph: how the loop variables were made from the variables of the expression. */
export default function ProvenancePanel({
  result,
  numbers = null,
  controls: more,
  footer,
  label = 'Provenance graph',
}: Properties) {
  const { provenance, variables, graph } = result;
  const [showBounds, setShowBounds] = useState(false);
  const [showRecovery, setShowRecovery] = useState(false);
  const [subject, setSubject] = useState<string | null>(null);
  const input = useMemo(
    () =>
      provenance
        ? {
            provenance,
            variables,
            loopOrder: graph?.nodes.map((node) => node.variable) ?? [],
            showBounds,
            showRecovery,
          }
        : null,
    [provenance, variables, graph, showBounds, showRecovery],
  );
  const { drawings, error } = useDrawings('provenance', input);

  if (error) return <p className="diagram-error">The graph could not be drawn: {error}</p>;
  if (!provenance)
    return <p className="diagram-empty">No provenance graph yet. It appears when the expression compiles.</p>;
  if (!drawings) return <p className="diagram-empty">Drawing the provenance graph…</p>;

  const regard = (event: PointerEvent | FocusEvent): void => {
    const part = event.target instanceof Element ? event.target.closest('[data-subject]') : null;
    const name = part?.getAttribute('data-subject');
    if (name) setSubject(name);
  };
  const controls = (
    <>
      <Toggle role="bounds" icon="⟷" label="Bounds" on={showBounds} onChange={setShowBounds} />
      <Toggle role="recovery" icon="↩" label="Recovery" on={showRecovery} onChange={setShowRecovery} />
      {more}
    </>
  );
  return (
    <section className="provenance-panel" aria-label={label} onPointerOver={regard} onFocus={regard}>
      <DiagramCanvas label={label} drawings={drawings} fileName="provenance-graph.svg" controls={controls}>
        {(layout) => (
          <Drawing
            layout={layout}
            provenance={provenance}
            bounds={showBounds}
            recovery={showRecovery}
            numbers={numbers}
          />
        )}
      </DiagramCanvas>
      {footer}
      <Details result={result} subject={subject} numbers={numbers} />
      <ProvenanceTable result={result} numbers={numbers} />
    </section>
  );
}

interface DrawingProperties {
  readonly layout: ProvenanceLayout;
  readonly provenance: ProvenanceView;
  /** Which flows are shown. */
  readonly bounds: boolean;
  readonly recovery: boolean;
  readonly numbers: ProvenanceNumbers | null;
}

function Drawing({ layout, provenance, bounds, recovery, numbers }: DrawingProperties) {
  const nodes = [...layout.variables].sort((one, other) => one.name.localeCompare(other.name));
  const first = layout.variables[0];
  return (
    <>
      {layout.edges.map((edge) => (
        <g key={`${edge.key} ${edge.line.data}`} className="derivation">
          {!bounds && !(recovery && edge.recovers) && <Flow kind="line" arrow={edge.line} />}
          {bounds && <Flow kind="bounds" arrow={edge.bounds} />}
          {recovery && edge.recovers && <Flow kind={edge.searches ? 'search' : 'recovery'} arrow={edge.recovery} />}
        </g>
      ))}
      {layout.relations.map((relation) => (
        <RelationBox key={relation.index} relation={relation} view={provenance.relations[relation.index]} />
      ))}
      {nodes.map((variable) => (
        <VariableNode
          key={variable.name}
          variable={variable}
          first={variable.name === first?.name}
          numbers={numbers?.get(variable.name)}
        />
      ))}
    </>
  );
}

function Flow({ kind, arrow }: { readonly kind: 'line' | 'bounds' | 'recovery' | 'search'; readonly arrow: Arrow }) {
  return (
    <g className={`flow flow-${kind}`}>
      <path className="flow-line" d={arrow.data} />
      {arrow.head !== '' && <path className="flow-head" d={arrow.head} />}
    </g>
  );
}

interface ToggleProperties {
  readonly role: 'bounds' | 'recovery';
  readonly icon: string;
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

function Toggle({ role, icon, label, on, onChange }: ToggleProperties) {
  return (
    <button type="button" className={`overlay-${role}`} aria-pressed={on} onClick={() => onChange(!on)}>
      <span className="overlay-icon" aria-hidden="true">
        {icon}
      </span>
      <span className="overlay-name">{label}</span>
    </button>
  );
}
