import type { DiagnosticView } from '../api/types';
import { Announcement } from '../components/announcing/Announcement';
import { useActions } from '../state/actions';
import { useExternal } from '../state/external';
import { useSelect, useStore } from '../state/store';
import { withoutWriting } from '../state/editing/writing';
import { counted } from '../text/quantities';

/** Whether the text compiles, in one line; it is announced with what is wrong once the person has stopped typing. */
export function CompileStatus() {
  const { phase, result, problem } = useSelect((state) => state.compile);
  const writing = useExternal(useStore().writing, (command) => command);
  const { compileNow } = useActions();
  const busy = phase === 'waiting' || phase === 'compiling';
  // A plan that the service refuses before it compiles: what is wrong stands at its place.
  const refused = phase === 'failed' ? problem?.diagnostics : undefined;
  const settled = phase === 'done' || (busy && result !== null);
  const settledDiagnostics = withoutWriting(result?.diagnostics ?? [], writing);
  const said =
    phase === 'offline'
      ? 'Not connected; trying again'
      : phase === 'failed'
        ? inWords(false, refused ?? []) || (problem?.title ?? 'The compile failed')
        : settled && result !== null
          ? inWords(result.ok, settledDiagnostics)
          : '';
  return (
    <div className={`compile-status${busy ? ' busy' : ''}`}>
      <span className="compile-words" data-phase={phase}>
        {phase === 'offline' ? (
          <span className="tone-warning">! Not connected; trying again</span>
        ) : refused !== undefined ? (
          <Verdict ok={false} diagnostics={refused} />
        ) : phase === 'failed' ? (
          <span className="tone-error">✕ {problem?.title ?? 'The compile failed'}</span>
        ) : settled && result !== null ? (
          <Verdict ok={result.ok} diagnostics={settledDiagnostics} />
        ) : (
          'Compiling'
        )}
        {settled && result?.ok && (
          <span aria-hidden="true" className="muted">
            {' '}
            {formatMilliseconds(result.milliseconds)}
          </span>
        )}
      </span>
      <Announcement text={said} />
      {(phase === 'offline' || phase === 'failed') && refused === undefined && (
        <>
          <button type="button" className="button" onClick={compileNow}>
            Try now
          </button>
          {phase === 'failed' && <span className="muted caption">{problem?.detail}</span>}
        </>
      )}
    </div>
  );
}

/** The verdict as it is announced: how much is wrong, and the first of it; nothing while a command is being written. */
export function inWords(ok: boolean, diagnostics: readonly DiagnosticView[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!ok) return first === undefined ? '' : `${counted(errors.length, 'error')}. ${first.message}`;
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning');
  return warnings.length === 0 ? 'Compiled' : `Compiled, ${counted(warnings.length, 'warning')}`;
}

function Verdict({ ok, diagnostics }: { readonly ok: boolean; readonly diagnostics: readonly DiagnosticView[] }) {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
  if (!ok && errors === 0) return <span className="muted">Writing</span>;
  if (!ok) return <span className="tone-error">✕ {counted(errors, 'error')}</span>;
  return (
    <>
      <span className="tone-success">✓</span>
      <span className="visually-hidden"> Compiled</span>
      {warnings > 0 && <span className="tone-warning"> {counted(warnings, 'warning')}</span>}
    </>
  );
}

export function formatMilliseconds(milliseconds: number): string {
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`;
}
