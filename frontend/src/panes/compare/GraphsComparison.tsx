import GraphPanel from '../../components/graph/GraphPanel';
import ProvenancePanel from '../../panels/provenance/ProvenancePanel';
import { derives, NOTHING_DERIVED } from '../../panels/provenance/derived';
import type { Side } from './use-sides';

/** Both iteration graphs, and below them both provenance graphs: what has the same name lights up in all. */
export default function GraphsComparison({ left, right }: { readonly left: Side; readonly right: Side }) {
  return (
    <div className="compare-columns compare-graphs">
      {[left, right].map((side, index) => {
        const whose = `of the ${index === 0 ? 'other' : 'edited'} plan, ${side.name}`;
        return (
          <div key={index} className="compare-column">
            <h3>{side.name}</h3>
            {side.view === null ? (
              <p className="panel-message muted">The graphs appear when this plan compiles.</p>
            ) : (
              <>
                <h4>Loops</h4>
                <GraphPanel result={side.view} label={`Iteration graph ${whose}`} />
                <h4>Where the variables come from</h4>
                {derives(side.view) ? (
                  <ProvenancePanel result={side.view} label={`Provenance graph ${whose}`} />
                ) : (
                  <p className="panel-message muted">{NOTHING_DERIVED}</p>
                )}
              </>
            )}
          </div>
        );
      })}
    </div>
  );
}
