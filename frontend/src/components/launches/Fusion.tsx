import { useEffect, useState } from 'react';
import { getFusion, isAbort, mayComeLater, RETRY_MS, toProblem } from '../../api/client';
import type { CompileView, FusionView } from '../../api/types';
import { counted } from '../../text/quantities';
import { barsOf } from '../../viz/gpu/fusion';
import type { Bar } from '../../viz/gpu/fusion';

type Answer = { readonly view: FusionView } | { readonly reason: string };

const [BLOCK, HEIGHT] = [22, 22];

/** One launch for all parts beside one for each: their blocks, and which part each block goes through. */
export function Fusion({ result }: { readonly result: CompileView }) {
  const [known, setKnown] = useState<{ readonly hash: string; readonly answer: Answer } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const keep = (answer: Answer): void => setKnown({ hash: result.hash, answer });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (): void => {
      getFusion(result.plan, controller.signal).then(
        (view) => keep({ view }),
        (error: unknown) => {
          if (isAbort(error)) return;
          if (mayComeLater(error)) timer = setTimeout(ask, RETRY_MS);
          else keep({ reason: toProblem(error).title });
        },
      );
    };
    ask();
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [result]);
  const answer = known?.hash === result.hash ? known.answer : null;
  return (
    <section className="fusion" aria-label="Before and after fusion" aria-busy={answer === null}>
      <h3>Before and after fusion</h3>
      {answer === null && <p className="muted">Compiling each part with a launch of its own…</p>}
      {answer !== null && 'reason' in answer && <p className="panel-message">{answer.reason}</p>}
      {answer !== null && 'view' in answer && <Compared view={answer.view} />}
    </section>
  );
}

function Compared({ view }: { readonly view: FusionView }) {
  if (!view.ok) return <p className="panel-message">{view.diagnostics[0]?.message ?? ''}</p>;
  const { separate, fused } = barsOf(view);
  return (
    <>
      <div className="fusion-sides">
        <Side title={`Separate: ${counted(view.separate.length, 'launch', 'launches')}`} bars={separate} />
        <Side title={`Fused: ${counted(view.fused.length, 'launch', 'launches')}`} bars={fused} />
      </div>
      {view.cases.length > 0 && (
        <p className="caption">
          {`The case chain of the one launch: ${view.cases.map(({ part, first, blocks }) => (blocks === 0 ? `${part} has no blocks` : `${blocks > 1 ? `blocks ${first} to ${first + blocks - 1} go` : `block ${first} goes`} through ${part}`)).join(', ')}.`}
        </p>
      )}
      <p className="caption muted">
        {view.adds_up === true
          ? 'Both have the same blocks with the same work on the running example: only the number of launches differs.'
          : view.adds_up === null
            ? 'There is too much work on the running example to follow it block by block.'
            : 'The blocks of the one launch differ from those of the separate ones.'}
      </p>
      <details className="text-equivalent">
        <summary>The schedule of the separate launches</summary>
        <pre>{view.schedule.join('\n')}</pre>
      </details>
    </>
  );
}

function Side({ title, bars }: { readonly title: string; readonly bars: readonly Bar[] }) {
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <ol>
        {bars.map(({ name, grid, blocks, said }) => (
          <li key={name}>
            <code>{name}</code> <span className="caption muted">{`${grid} blocks`}</span>
            {blocks !== null && (
              <svg width={Math.max(1, blocks.length) * (BLOCK + 2)} height={HEIGHT} role="img" aria-label={said}>
                {blocks.length === 0 && (
                  <text x={0} y={15} className="fusion-none">
                    –
                  </text>
                )}
                {blocks.map(({ part, work }, block) => (
                  <g key={block} data-part={part < 0 ? undefined : part % 6}>
                    <rect x={block * (BLOCK + 2)} width={BLOCK} height={HEIGHT} className="fusion-block" />
                    <text x={block * (BLOCK + 2) + BLOCK / 2} y={15}>
                      {work}
                    </text>
                  </g>
                ))}
              </svg>
            )}
          </li>
        ))}
      </ol>
    </figure>
  );
}
