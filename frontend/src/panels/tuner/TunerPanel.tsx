import { useState } from 'react';
import type { RunView, SearchRequest } from '../../api/types';
import { Announcement } from '../../components/announcing/Announcement';
import { toPlan } from '../../plan/plan';
import { readPlan } from '../../plan/plan-reader';
import { searchLink } from '../../state/address/search-address';
import { useSelect, useStore } from '../../state/store';
import { counted } from '../../text/quantities';
import { upTo } from '../../viz/tuner/search-log';
import type { Search } from '../../viz/tuner/search-log';
import { Beside } from './Beside';
import { FinalTable } from './FinalTable';
import { Genes } from './Genes';
import { ParallelGenes } from './ParallelGenes';
import { Pareto } from './Pareto';
import { Population } from './Population';
import { SpaceTable } from './SpaceTable';
import { useSearch } from './use-search';
import '../../theme/tuner.css';

/** Of a generation: small enough that one is complete within seconds. */
const POPULATION = 12;

const STRATEGIES: readonly (readonly [SearchRequest['strategy'] & string, string])[] = [
  ['genetic', 'Genetic, as the paper describes it'],
  ['genetic-code', 'Genetic, as its published code does it'],
  ['random', 'At random'],
  ['hill', 'Hill climbing with restarts'],
  ['exhaustive', 'Every point'],
  ['rules', "Only the rules' schedules"],
];

/** A search for a faster schedule: its population while it grows, any candidate and its parents, and the comparison. */
export default function TunerPanel() {
  const draft = useSelect((state) => state.draft);
  const searching = useSearch();
  const { run, search, problem, busy } = searching;
  const [strategy, setStrategy] = useState<string>('genetic');
  const [seconds, setSeconds] = useState('60');
  const [seed, setSeed] = useState('7');
  const ended = run !== null && run.state !== 'done' && !busy;
  const begin = (resume?: string): void => {
    // A search that goes on has the plan and the settings of its log.
    const request: SearchRequest =
      resume !== undefined && run !== null
        ? ({ plan: run.plan, resume } as SearchRequest)
        : ({
            plan: toPlan(draft),
            strategy,
            seconds: Number(seconds),
            seed: Number(seed),
            population: POPULATION,
          } as SearchRequest);
    void searching.start(request);
  };
  return (
    <section className="tuner" aria-label="Tuner" tabIndex={0}>
      <form
        className="tuner-form"
        onSubmit={(event) => {
          event.preventDefault();
          begin();
        }}
      >
        <label>
          Strategy{' '}
          <select value={strategy} onChange={(event) => setStrategy(event.target.value)}>
            {STRATEGIES.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label>
          Seconds{' '}
          <input type="number" min={1} max={600} value={seconds} onChange={(event) => setSeconds(event.target.value)} />
        </label>
        <label>
          Seed <input type="number" min={0} value={seed} onChange={(event) => setSeed(event.target.value)} />
        </label>
        {busy ? (
          <button type="button" className="button" onClick={searching.cancel}>
            Cancel
          </button>
        ) : (
          <button type="submit" className="button primary">
            Search for a schedule
          </button>
        )}
        {ended && search !== null && search.final === null && (
          <button type="button" className="button" onClick={() => begin(run.id)}>
            Continue where it stopped
          </button>
        )}
      </form>
      <p className="caption">{standing(run, search)}</p>
      <Announcement text={standing(run, search)} />
      {problem !== null && <p role="alert">{problem}</p>}
      {run?.problem && run.state !== 'cancelled' && <p role="alert">{run.problem.detail}</p>}
      {search === null ? (
        <p className="panel-message muted">
          A search changes the order of loops, tiles, vectors, threads and formats, checks every candidate against a
          reference, and times it. It shares the machine with everyone else’s runs.
        </p>
      ) : (
        <>
          <Shown search={search} id={run?.id ?? ''} />
          {run !== null && search.final !== null && search.strategy !== 'random' && (
            <Beside run={run} search={search} population={POPULATION} seconds={Number(seconds)} />
          )}
        </>
      )}
      <OpenSearch onOpen={searching.open} />
    </section>
  );
}

function Shown({ search, id }: { readonly search: Search; readonly id: string }) {
  const store = useStore();
  const all = search.generations.length;
  const [wanted, setWanted] = useState<number | null>(null);
  const count = Math.min(wanted ?? all, all);
  const then = upTo(search, count);
  const [chosen, setChosen] = useState<number | null>(null);
  const one = then.candidates.find((candidate) => candidate.id === chosen) ?? fastest(then);
  const take = (schedule: readonly string[], formats: Readonly<Record<string, string>>): void => {
    const plan = search.plan as { tensors?: Record<string, object> };
    const tensors = Object.fromEntries(
      [...new Set([...Object.keys(plan.tensors ?? {}), ...Object.keys(formats)])].map((name) => {
        const format = formats[name];
        return [name, { ...plan.tensors?.[name], ...(format === undefined ? {} : { format }) }];
      }),
    );
    store.update({ kind: 'open', draft: readPlan({ ...search.plan, tensors, schedule: [...schedule] }) });
  };
  return (
    <>
      {search.final !== null && <FinalTable final={search.final} onTake={take} />}
      <Population search={then} chosen={one?.id ?? null} onChoose={setChosen} />
      {all > 1 && (
        <label className="tuner-slider">
          Replay: {count} of {all} generations{' '}
          <input
            type="range"
            min={1}
            max={all}
            value={count}
            onChange={(event) => setWanted(Number(event.target.value))}
          />
        </label>
      )}
      {one !== undefined && (
        <>
          <label className="tuner-slider">
            Candidate {one.id}{' '}
            <input
              type="range"
              min={0}
              max={Math.max(0, then.candidates.length - 1)}
              value={then.candidates.indexOf(one)}
              onChange={(event) => setChosen(then.candidates[Number(event.target.value)]?.id ?? null)}
            />
          </label>
          <Genes search={search} one={one} onTake={take} />
        </>
      )}
      <Pareto search={then} chosen={one?.id ?? null} onChoose={setChosen} />
      <ParallelGenes search={then} chosen={one?.id ?? null} onChoose={setChosen} />
      <SpaceTable search={then} />
      <p className="caption muted">
        This search: <code>{id}</code>, seed {search.seed}.{' '}
        <a href={searchLink(id, readPlan(search.plan), window.location.origin)}>Link to this search</a>, which anyone
        can open.
      </p>
    </>
  );
}

function OpenSearch({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const [text, setText] = useState('');
  return (
    <form
      className="tuner-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onOpen(text.trim());
      }}
    >
      <label>
        Open a search by its id <input value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <button type="submit" className="button">
        Open
      </button>
    </form>
  );
}

function fastest(search: Search) {
  const timed = search.candidates.filter(({ seconds }) => seconds !== null);
  return timed.sort((left, right) => (left.seconds ?? 0) - (right.seconds ?? 0))[0] ?? search.candidates[0];
}

function standing(run: RunView | null, search: Search | null): string {
  if (run === null) return '';
  const made = search === null ? '' : `, ${search.generations.length} generations, ${search.timed} schedules timed`;
  const waits = run.queue_position === null ? '' : `, ${counted(run.queue_position, 'run')} ahead of it`;
  const message = run.progress?.message;
  return `The search is ${run.state}${waits}${made}.${message === undefined ? '' : ` ${message}.`}`;
}
