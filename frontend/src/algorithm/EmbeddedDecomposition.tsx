import type { DecompositionLinkView } from '../api/types';
import { ALGORITHMS, definitionOf } from './definition';
import { FitCurve } from './pictures/FitCurve';
import { TimeShares } from './pictures/TimeShares';
import { Weights } from './pictures/Weights';
import './algorithm.css';
import { linkRest, pageAddress } from '../api/site';

/** A decomposition inside somebody else's page: to look at, not to change. */
export function EmbeddedDecomposition({ link }: { readonly link: DecompositionLinkView }) {
  const { algorithm, rank } = definitionOf(link.plan);
  const result = link.run?.result ?? null;
  return (
    <div className="algorithm">
      <header className="algorithm-head">
        <h1>
          {ALGORITHMS[algorithm]}, rank {rank}
        </h1>
        <a className="button" href={pageAddress(linkRest(link.id))} target="_blank" rel="noopener">
          Open in Heddle
        </a>
      </header>
      <main className="algorithm-main">
        {result === null ? (
          <p className="muted">This decomposition has no result yet.</p>
        ) : (
          <>
            <div className="algorithm-pair">
              <FitCurve history={result.history} opponents={result.opponents ?? []} />
              <TimeShares history={result.history} packing={result.packing_seconds ?? null} />
            </div>
            <section className="algorithm-panel" aria-label="Result">
              <Weights weights={result.weights} />
            </section>
          </>
        )}
      </main>
    </div>
  );
}
