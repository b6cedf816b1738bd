import { Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import type { CompileView } from '../api/types';
import { ErrorBoundary } from '../components/ErrorBoundary';
import type { EmbedAddress, EmbedPane } from '../state/address/embed-address';
import { drawnInWords } from '../state/shown';
import { useSelect } from '../state/store';
import { lazyFile } from '../components/loading/lazy-file';
import './embed.css';
import { fragmentOf, pageAddress } from '../api/site';
import { BootStatus } from '../layout/BootStatus';
import { encodeAddress } from '../state/address/url-codec';

const GraphPanel = lazyFile(() => import('../components/graph/GraphPanel'));
const ProvenancePanel = lazyFile(() => import('../panels/provenance/ProvenancePanel'));
const CodePanel = lazyFile(() => import('../panels/code/CodePanel'));
const EmbedEditor = lazyFile(() => import('./EmbedEditor'));
const EmbedRun = lazyFile(() => import('./EmbedRun'));
const ResultView = lazyFile(async () => ({ default: (await import('../panels/run/result/ResultView')).ResultView }));

const TITLES: Readonly<Record<EmbedPane, string>> = {
  schedule: 'Schedule',
  iteration: 'Iteration graph',
  provenance: 'Provenance graph',
  code: 'Code',
  result: 'Result',
};

/** Panels that are regions with this name themselves. */
const NAMED: Partial<Record<EmbedPane, true>> = { iteration: true, provenance: true };

/** A plan inside somebody else's page: to look at, and to change where the page that holds the frame says so. */
export function EmbedApp({ address }: { readonly address: EmbedAddress }) {
  const draft = useSelect((state) => state.draft);
  const notice = useSelect((state) => state.notice);
  const shown = useSelect((state) => state.compile.shown?.view ?? null);
  const problem = useSelect((state) => state.compile.problem);
  return (
    <div className="embed">
      <header className="embed-head">
        <h1>
          <code>{notice === null ? draft.expression : 'Heddle'}</code>
        </h1>
        <OpenInHeddle rest={address.rest} />
      </header>
      {notice !== null || (problem !== null && shown === null) ? (
        <p role="alert" className="panel-message">
          {notice ?? problem?.detail}
        </p>
      ) : shown === null ? (
        <p className="panel-message muted">
          Loading… <BootStatus />
        </p>
      ) : (
        <>
          <DrawnNote />
          <main className="embed-panes">
            {address.panes.map((pane) => (
              <section
                key={pane}
                className={`embed-pane embed-${pane}`}
                aria-label={NAMED[pane] ? undefined : TITLES[pane]}
              >
                <ErrorBoundary name={TITLES[pane]} resetKey={shown}>
                  <Suspense fallback={<p className="panel-message">Loading…</p>}>
                    {contentOf(pane, shown, draft.schedule, address.edit)}
                  </Suspense>
                </ErrorBoundary>
              </section>
            ))}
          </main>
        </>
      )}
    </div>
  );
}

/** What was opened for as long as it says all, then the plan itself: what was changed in the frame is kept. */
function OpenInHeddle({ rest }: { readonly rest: string }) {
  const draft = useSelect((state) => state.draft);
  const view = useSelect((state) => state.view);
  const notice = useSelect((state) => state.notice);
  const [opened] = useState(draft);
  const same = notice !== null || opened === draft;
  const page = same ? rest : fragmentOf(encodeAddress({ draft, view }));
  return (
    <a className="button" href={pageAddress(page)} target="_blank" rel="noopener">
      Open in Heddle
    </a>
  );
}

/** What the panes draw where that is not the whole schedule. */
function DrawnNote() {
  const drawn = useSelect((state) => state.compile.shown?.drawn);
  const words = drawn === undefined ? null : drawnInWords(drawn);
  return words === null ? null : <p className="stale-note">{words}</p>;
}

function contentOf(pane: EmbedPane, view: CompileView, schedule: string, edit: boolean): ReactNode {
  switch (pane) {
    case 'schedule':
      return edit ? (
        <EmbedEditor />
      ) : (
        <pre className="embed-schedule">{schedule || 'No schedule: the loops run in storage order.'}</pre>
      );
    case 'iteration':
      return <GraphPanel result={view} />;
    case 'provenance':
      return <ProvenancePanel result={view} />;
    case 'code':
      return <CodePanel result={view} tab="target" />;
    case 'result':
      return edit ? <EmbedRun /> : <StoredResult />;
    default:
      throw new Error(`unexpected pane ${String(pane satisfies never)}`);
  }
}

function StoredResult() {
  const run = useSelect((state) => state.run.view);
  if (!run?.result) return <p className="panel-message muted">This plan has no measured result yet.</p>;
  return <ResultView result={run.result} stored />;
}
