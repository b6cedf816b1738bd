import { Suspense, useState } from 'react';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { Tabs } from '../components/Tabs';
import { MaximiseButton, Pane } from './Pane';
import { Presenting } from './Presenting';
import { chosenTab, RUN_TABS } from './tabs';
import { useSelect, useStore } from '../state/store';
import { ArgumentList } from '../panels/run/arguments/ArgumentList';
import { Baselines } from '../panels/run/Baselines';
import { InputList, useInputDiagnostics } from '../panels/run/inputs/InputList';
import { Machines } from '../panels/run/machines/Machines';
import { OtherTargets } from '../panels/run/machines/OtherTargets';
import { RunButtons } from '../panels/run/RunButtons';
import { RunSettings } from '../panels/run/RunSettings';
import { RunSummary } from '../panels/run/RunSummary';
import { useWorkers } from '../panels/run/machines/use-workers';
import { FoldButton, FoldedRun, unfold } from './FoldedRun';
import { useRunStrip } from './use-run-strip';

/** Builds, verifies and times the kernel on real data, alongside the libraries that people use today. */
export function RunPane() {
  const strip = useRunStrip();
  const asked = useSelect(({ view }) => view.inputs);
  const complaints = useInputDiagnostics();
  const [watching, watch] = useState(false);
  const workers = useWorkers(watching);
  const open = asked || complaints.length > 0;
  const arrangement = !strip ? '' : open ? ' run-strip' : ' run-strip run-line';
  return (
    <Pane name="run">
      <div className={`run-body${arrangement}`}>
        <div className="run-form">
          <h2>Inputs</h2>
          {strip && <RunSummary open={open} />}
          {(open || !strip) && (
            <>
              <ArgumentList />
              <InputList />
              <RunSettings />
              <Machines workers={workers} onOpen={watch} />
            </>
          )}
          <OtherTargets workers={workers ?? []} />
          {(open || !strip) && <Baselines workers={workers} />}
          <RunButtons workers={workers ?? []} />
        </div>
        <Outcomes strip={strip} />
      </div>
    </Pane>
  );
}

function Outcomes({ strip }: { readonly strip: boolean }) {
  const store = useStore();
  const folded = useSelect(({ run }) => run.folded === true) && strip;
  const tab = chosenTab(
    RUN_TABS,
    useSelect((state) => state.view.run),
  );
  return (
    <div className="run-results">
      <Tabs
        label="Results"
        tabs={RUN_TABS}
        chosen={tab.id}
        onChoose={(run) => {
          unfold(store);
          store.look({ run });
        }}
        tools={
          <>
            <FoldButton strip={strip} />
            <Presenting name="run" />
            <MaximiseButton name="run" />
          </>
        }
      >
        {folded ? (
          <FoldedRun />
        ) : (
          <ErrorBoundary key={tab.id} name={`The tab ${tab.title}`} resetKey={tab.id}>
            <Suspense fallback={<p className="panel-message">Loading…</p>}>
              <tab.Panel />
            </Suspense>
          </ErrorBoundary>
        )}
      </Tabs>
    </div>
  );
}
