import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { CompileView, GraphNodeView } from '../../api/types';
import type { IterationLayout } from '../../viz/iteration/types';
import DiagramCanvas from '../diagram/DiagramCanvas';
import { useDrawings } from '../diagram/use-drawings';
import DropPlaces from './DropPlaces';
import './graph.css';
import GraphTable from './GraphTable';
import LoopNode from './LoopNode';
import Statement from './Statement';
import { PathLabel } from './PathLabel';
import { PathLine } from './PathLine';
import type { Reorder } from './reorder';

/** The iteration graph: loops in their order, and the way of every tensor access through them. */
export default function GraphPanel({
  result,
  onMerge,
  reorder,
  controls,
  label = 'Iteration graph',
}: {
  readonly result: CompileView;
  /** Opens the merge lattice. */
  readonly onMerge?: (() => void) | undefined;
  /** Lets loops change places; without it the graph is to look at. */
  readonly reorder?: Reorder | undefined;
  readonly controls?: ReactNode;
  /** Tells two graphs on one page apart. */
  readonly label?: string;
}) {
  const { graph, variables, provenance } = result;
  const input = useMemo(
    () => (graph ? { graph, variables, relations: provenance?.relations ?? [] } : null),
    [graph, variables, provenance],
  );
  const { drawings, error } = useDrawings('iteration', input);

  if (error) return <p className="diagram-error">The graph could not be drawn: {error}</p>;
  if (!graph) return <p className="diagram-empty">No iteration graph yet. It appears when the expression compiles.</p>;
  if (!drawings) return <p className="diagram-empty">Drawing the iteration graph…</p>;

  return (
    <section className="graph-panel" aria-label={label}>
      <DiagramCanvas label={label} drawings={drawings} fileName="iteration-graph.svg" controls={controls}>
        {(layout) => <Drawing layout={layout} nodes={graph.nodes} onMerge={onMerge} reorder={reorder} />}
      </DiagramCanvas>
      <GraphTable result={result} layout={drawings[0]} />
    </section>
  );
}

interface DrawingProperties {
  readonly layout: IterationLayout;
  readonly nodes: readonly GraphNodeView[];
  readonly onMerge: (() => void) | undefined;
  readonly reorder: Reorder | undefined;
}

function Drawing({ layout, nodes, onMerge, reorder }: DrawingProperties) {
  // Always the same order in the document: a node that moves must not be taken out and put in again.
  const loops = [...layout.loops].sort((one, other) => one.variable.localeCompare(other.variable));
  const outermost = layout.loops[0];
  return (
    <>
      <g className="nestings">
        {layout.nestings.map((nesting) => (
          <path key={nesting.key} d={nesting.data} />
        ))}
      </g>
      {layout.paths.map((path) => (
        <PathLine key={`${path.index} ${path.data}`} path={path} />
      ))}
      {loops.map((loop) => (
        <LoopNode
          key={loop.variable}
          loop={loop}
          first={loop.variable === outermost?.variable}
          onMerge={onMerge}
          lift={reorder?.drag?.variable === loop.variable ? reorder.drag.by : null}
          handlers={reorder?.handlers(loop.variable, layout.loops)}
        />
      ))}
      {layout.paths.map((path) => (
        <PathLabel key={`${path.index} ${path.data}`} path={path} />
      ))}
      {layout.statements.map((statement, index) => (
        <Statement key={index} statement={statement} />
      ))}
      {reorder && <DropPlaces reorder={reorder} nodes={nodes} loops={layout.loops} />}
    </>
  );
}
