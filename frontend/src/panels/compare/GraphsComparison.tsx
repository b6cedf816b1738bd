import GraphPanel from '../graph/GraphPanel';
import type { Side } from './useSides';

/** Both iteration graphs: what has the same name lights up in both. */
export function GraphsComparison({ left, right }: { readonly left: Side; readonly right: Side }) {
  return (
    <div className="compare-columns">
      {[left, right].map((side, index) => (
        <div key={index} className="compare-column">
          <h3>{side.name}</h3>
          {side.view === null ? (
            <p className="panel-message muted">The graph appears when this plan compiles.</p>
          ) : (
            <GraphPanel
              result={side.view}
              label={`Iteration graph of the ${index === 0 ? 'other' : 'edited'} plan, ${side.name}`}
            />
          )}
        </div>
      ))}
    </div>
  );
}
