import { Suspense, useEffect, useState } from 'react';
import { getFigure, isAbort, toProblem } from '../../api/client';
import type { PlotlyFigure } from '../../api/client';
import { Tabs } from '../../components/Tabs';
import { ErrorBoundary } from '../../components/ErrorBoundary';
import { lazyFile } from '../../components/loading/lazy-file';

const Plot = lazyFile(() => import('../../components/plot/Plot'));

interface Props {
  readonly runId: string;
  readonly names: readonly string[];
}

/** The figures of a run, which nobody fetches before they are asked for: the table has bars of its own. */
export function Figures({ runId, names }: Props) {
  const [open, setOpen] = useState(false);
  if (names.length === 0) return null;
  return (
    <details className="result-more" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Figures: {names.map(titleOf).join(', ')}</summary>
      {open && <Tabbed runId={runId} names={names} />}
    </details>
  );
}

/** The figures that the service has for a run, whatever they are; it draws them, the page only shows them. */
function Tabbed({ runId, names }: Props) {
  const [chosen, setChosen] = useState<string | null>(null);
  const current = chosen !== null && names.includes(chosen) ? chosen : names[0];
  if (current === undefined) return null;
  return (
    <div className="figures">
      <Tabs
        label="Figures"
        tabs={names.map((id) => ({ id, title: titleOf(id) }))}
        chosen={current}
        onChoose={setChosen}
      >
        <Figure key={`${runId} ${current}`} runId={runId} name={current} />
      </Tabs>
    </div>
  );
}

/** `speedup_by_size` becomes "Speedup by size". */
export function titleOf(name: string): string {
  const words = name.replaceAll(/[-_]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Figure({ runId, name }: { readonly runId: string; readonly name: string }) {
  const [figure, setFigure] = useState<PlotlyFigure | string | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    getFigure(runId, name, controller.signal).then(setFigure, (error: unknown) => {
      if (!isAbort(error)) setFigure(toProblem(error).detail);
    });
    return () => controller.abort();
  }, [runId, name]);
  if (typeof figure === 'string') return <p role="alert">The figure could not be loaded: {figure}</p>;
  const loading = <p className="panel-message muted">Loading…</p>;
  if (figure === null) return loading;
  return (
    <ErrorBoundary name="The figure" resetKey={figure}>
      <Suspense fallback={loading}>
        <Plot figure={figure} title={titleOf(name)} />
      </Suspense>
    </ErrorBoundary>
  );
}
