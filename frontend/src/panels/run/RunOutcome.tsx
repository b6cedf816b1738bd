import { Suspense, useEffect } from 'react';
import type { DiagnosticView, Problem, RunView } from '../../api/types';
import { Announcement } from '../../components/announcing/Announcement';
import { DiagnosticList } from '../../components/DiagnosticList';
import { ErrorBoundary } from '../../components/ErrorBoundary';
import { Prose } from '../../components/Prose';
import { canonicalJson, toPlan } from '../../plan/plan';
import type { PlanDocument } from '../../plan/plan';
import { readPlan } from '../../plan/plan-reader';
import { useActions } from '../../state/actions';
import { hasRun, isCut, shownRun } from '../../state/runs/run-state';
import { useSelect, useStore } from '../../state/store';
import type { EarlierRun } from '../../state/store';
import { adviceOf, announcementOf, describeProgress, describeTimeLeft, wordsOf } from './run-states';
import { Explained } from '../../components/Term';
import { lazyFile } from '../../components/loading/lazy-file';

const FinishedRun = lazyFile(() => import('./result/FinishedRun'));

/** What became of the run: its progress, its result, or why there is none. The result of the run before stays until then. */
export function RunOutcome() {
  const run = useSelect((state) => state.run);
  const { phase, view, problem } = run;
  const shown = shownRun(run);
  const running = phase !== 'idle';
  useEffect(() => {
    // While the run is under way there is time for what shows its result; what does not come now is told then.
    if (running) void import('./result/FinishedRun').catch(() => undefined);
  }, [running]);
  return (
    <div className="run-outcome" role="region" aria-label="Result" tabIndex={0}>
      <Announcement text={announcementOf(run)} />
      <div className="run-status">
        {phase === 'submitting' && <p>Sending the plan</p>}
        {phase === 'watching' && view === null && <p>Looking for the run</p>}
        {isCut(run) ? <Cut /> : view !== null && <StateLine view={view} />}
      </div>
      {problem !== null && !isCut(run) && <ProblemText problem={problem} />}
      {view !== null && view.problem !== null && view.state !== 'cancelled' && <ProblemText problem={view.problem} />}
      {shown !== null && <Shown shown={shown} current={shown.view === view} />}
      {shown === null && view !== null && <EarlierPlan plan={run.plan} />}
      {!hasRun(run) && (
        <p className="panel-message muted">
          <Explained>
            Run builds this kernel, checks its result against a reference, and times it beside the same kernel without a
            schedule, SciPy and MKL, or NumPy where all operands are dense.
          </Explained>
        </p>
      )}
    </div>
  );
}

/** A result; `current` unless a later run has none yet, or ended without. */
function Shown({ shown, current }: { readonly shown: EarlierRun; readonly current: boolean }) {
  const { runNow } = useActions();
  const store = useStore();
  const draft = useSelect((state) => state.draft);
  const { view, plan, stored } = shown;
  const { result } = view;
  if (!result) return null;
  const ofThisPlan = canonicalJson(plan) === canonicalJson(toPlan(draft));
  return (
    <>
      {!current && <p className="stale-note">The result below is that of the run before.</p>}
      <EarlierPlan plan={plan} />
      <ErrorBoundary name="The result" resetKey={view.id}>
        <Suspense fallback={<p className="panel-message">Loading…</p>}>
          <FinishedRun
            view={view}
            result={result}
            stored={stored}
            onRepeat={current && ofThisPlan ? runNow : undefined}
            onFix={current && ofThisPlan ? (fix) => store.update({ kind: 'fix', fix }) : undefined}
          />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

/** In place of how far the run is, which nobody knows. */
function Cut() {
  return (
    <p role="alert">
      <strong className="tone-warning">! Not connected.</strong> The run goes on; its result comes as soon as Heddle
      answers again.
    </p>
  );
}

function StateLine({ view }: { readonly view: RunView }) {
  const words = wordsOf(view.state);
  const advice = adviceOf(view);
  if (words.tone === 'good') {
    return <p className="visually-hidden">The run is done.</p>;
  }
  if (words.tone === 'bad') {
    return (
      <p>
        <strong className="tone-error">✕ {words.title}.</strong> {advice}
      </p>
    );
  }
  const progress = describeProgress(view);
  return (
    <div className="run-progress">
      <p>
        <strong>{words.title}</strong> {progress !== words.title && <span className="muted">{progress}</span>}{' '}
        <span className="muted tabular">{describeTimeLeft(view)}</span>
      </p>
      {view.state !== 'queued' && (
        <progress aria-label="Progress of the run" max={1} value={view.progress?.fraction ?? 0} />
      )}
      {advice !== '' && <p className="caption muted">{advice}</p>}
    </div>
  );
}

function ProblemText({ problem }: { readonly problem: Problem }) {
  const store = useStore();
  return (
    <div className="run-problem" role="alert">
      <p>
        <strong>{problem.title}.</strong> <Prose text={problem.detail} />
      </p>
      <DiagnosticList
        label="Problems of the run"
        diagnostics={(problem.diagnostics ?? []).filter((diagnostic) => isNews(diagnostic, problem))}
        onFix={(fix) => store.update({ kind: 'fix', fix })}
      />
    </div>
  );
}

/** False for what stands at its input already, and for what the problem itself has just said. */
function isNews({ location, message, fixes }: DiagnosticView, problem: Problem): boolean {
  if (location?.part === 'input' && location.tensor !== null) return false;
  return fixes.length > 0 || !problem.detail.includes(message);
}

/** Says so when the editors have moved on since the run. */
function EarlierPlan({ plan }: { readonly plan: PlanDocument | null }) {
  const store = useStore();
  const draft = useSelect((state) => state.draft);
  if (plan === null || canonicalJson(plan) === canonicalJson(toPlan(draft))) return null;
  return (
    <p className="stale-note">
      This result belongs to an earlier plan.{' '}
      <button
        type="button"
        className="link-button"
        onClick={() => store.update({ kind: 'open', draft: readPlan(plan) })}
      >
        Open that plan
      </button>
    </p>
  );
}
