import { useCallback, useEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Prose } from '../../components/Prose';
import { DataPicker } from '../../components/data/DataPicker';
import { compareWith } from '../../state/comparison-actions';
import { linkId, useLinked } from '../../state/links';
import type { CompileView } from '../../api/types';
import { commandsOf } from '../../plan/plan';
import { DEFAULT_TARGET } from '../../plan/targets';
import { useSteps } from '../../state/presenting';
import { useStore } from '../../state/store';
import GraphPanel from '../../components/graph/GraphPanel';
import FrameCode from './FrameCode';
import './filmstrip.css';
import { factsOf, sameResult } from './frames';
import type { Fact, Frame } from './frames';
import { useFrames } from './use-frames';
import { counted } from '../../text/quantities';
import { Explained } from '../../components/Term';

/** One frame per command: graph, what changed in the code, and what the kernel does on small operands. */
export default function FilmstripPanel({ result }: { readonly result: CompileView }) {
  const frames = useFrames();
  const strip = useRef<HTMLOListElement>(null);
  const [wanted, setWanted] = useState<number | null>(null);
  const last = frames.length - 1;
  const current = Math.min(wanted ?? last, last);
  const frame = frames[current];
  const shown = frame !== undefined;
  useEffect(() => {
    if (!shown) return;
    const button = strip.current?.querySelectorAll<HTMLElement>('button')[current];
    button?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    // Frames grow as their answers come, and push the chosen one out of sight.
  }, [current, shown, frames]);
  const step = useCallback((by: 1 | -1) => setWanted((now) => Math.max(0, Math.min(last, (now ?? last) + by))), [last]);
  useSteps(step);
  if (!shown) return <p className="panel-message">Folding the schedule back…</p>;

  const keys = (event: KeyboardEvent): void => {
    const next = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const place = Math.max(0, Math.min(last, next));
    setWanted(place);
    strip.current?.querySelectorAll<HTMLElement>('button')[place]?.focus();
  };
  return (
    <section className="filmstrip" aria-label="Filmstrip">
      <div className="filmstrip-data">
        <DataPicker result={result} />
      </div>
      <ol ref={strip} className="frames" aria-label="Steps of the schedule" onKeyDown={keys}>
        {frames.map((one) => (
          <FrameButton
            key={one.count}
            frame={one}
            before={frames[one.count - 1]}
            current={one === frame}
            onChoose={() => setWanted(one.count)}
          />
        ))}
      </ol>
      <FrameBody frame={frame} before={frames[current - 1]} first={frames[0]} last={current === last} />
    </section>
  );
}

interface ButtonProps {
  readonly frame: Frame;
  readonly before: Frame | undefined;
  readonly current: boolean;
  readonly onChoose: () => void;
}

function FrameButton({ frame, before, current, onChoose }: ButtonProps) {
  const { props: link } = useLinked(frame.count === 0 ? [] : linkId.command(frame.count - 1));
  const statements = factsOf(frame, before)[0];
  const loops = frame.view?.graph?.nodes.map(({ variable }) => variable) ?? [];
  return (
    <li>
      <button
        type="button"
        className="frame"
        aria-current={current ? 'step' : undefined}
        tabIndex={current ? 0 : -1}
        data-link={link['data-link'] || undefined}
        data-linked={link['data-linked']}
        onPointerEnter={link.onPointerEnter}
        onPointerLeave={link.onPointerLeave}
        onFocus={link.onFocus}
        onBlur={link.onBlur}
        onClick={onChoose}
      >
        <code className="frame-command">
          {frame.count === 0 ? 'no schedule' : `${frame.count} ${frame.command ?? ''}`}
        </code>
        <span className="frame-loops">{frame.problem ? '✕ refused' : loops.map((name) => `∀${name}`).join(' ')}</span>
        <span className="caption muted">
          {frame.preview === null ? '' : 'unmapped · '}
          {statements ? counted(statements.value, 'statement') : '\u00a0'}
        </span>
      </button>
    </li>
  );
}

interface BodyProps {
  readonly frame: Frame;
  readonly before: Frame | undefined;
  readonly first: Frame | undefined;
  readonly last: boolean;
}

function FrameBody({ frame, before, first, last }: BodyProps) {
  const store = useStore();
  const { view, problem } = frame;
  const same = sameResult(first?.trace ?? null, frame.trace);
  const facts = factsOf(frame, before);
  return (
    <>
      <div className="frame-facts" role="status">
        {problem !== null && (
          <span className="tone-error">
            ✕ <Prose text={problem} />
          </span>
        )}
        {frame.preview !== null && problem === null && (
          <span className="frame-preview">
            <Explained>
              Preview on the CPU, one iteration after the other: later commands map the units of the GPU.
            </Explained>
          </span>
        )}
        {facts.map((fact) => (
          <FactText key={fact.name} fact={fact} />
        ))}
        {same === true && <span className="tone-success">✓ same result</span>}
        {same === false && <span className="tone-error">✕ different result: please report this plan</span>}
        {!last && (
          <button
            type="button"
            className="button"
            data-tip="Disables the later commands; they stay in the schedule"
            onClick={() => store.update({ kind: 'row', change: { kind: 'fold', count: frame.count } })}
          >
            Fold the schedule back to here
          </button>
        )}
        {!last && (
          <button
            type="button"
            className="button"
            onClick={() => {
              const { draft } = store.get();
              const { preview } = frame;
              const commands =
                preview === null ? commandsOf(draft.schedule).slice(0, frame.count) : (preview.schedule ?? []);
              const target = preview === null ? draft.target : DEFAULT_TARGET;
              compareWith(store, { ...draft, schedule: commands.join('\n'), target }, nameOf(frame));
            }}
          >
            Compare with this step
          </button>
        )}
      </div>
      <div className="frame-body">
        {view?.graph ? <GraphPanel result={view} /> : <p className="panel-message muted">No graph at this step.</p>}
        {view?.code ? (
          <FrameCode view={view} code={view.code} old={before?.view?.code ?? null} count={frame.count} />
        ) : (
          <p className="panel-message muted">{problem ? 'No code at this step.' : 'Loading…'}</p>
        )}
      </div>
    </>
  );
}

const nameOf = ({ count }: Frame): string => (count === 0 ? 'No schedule' : `After ${counted(count, 'command')}`);

function FactText({ fact: { name, value, change } }: { readonly fact: Fact }) {
  const words = change === null || change === 0 ? '' : ` (${change > 0 ? '+' : '−'}${Math.abs(change)})`;
  return (
    <span>
      <b>{value}</b> <Explained>{name}</Explained>
      <span className="muted">{words}</span>
    </span>
  );
}
