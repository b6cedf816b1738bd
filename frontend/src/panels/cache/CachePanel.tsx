import { useEffect, useState } from 'react';
import { isAbort, listTuned, lookupTuned, toProblem } from '../../api/client';
import type { KnownView, LookupView } from '../../api/types';
import { toPlan } from '../../plan/plan';
import { readPlan } from '../../plan/plan-reader';
import { useSelect, useStore } from '../../state/store';
import { counted, formatNanoseconds } from '../../text/quantities';
import '../../theme/tuner.css';

const WAIT_MS = 500;

/** What searches found: for this program under any names, and everything else that this service knows. */
export default function CachePanel() {
  const draft = useSelect((state) => state.draft);
  const [lookup, setLookup] = useState<LookupView | string | null>(null);
  const [known, setKnown] = useState<readonly KnownView[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      lookupTuned(toPlan(draft), controller.signal).then(setLookup, (error: unknown) => {
        if (!isAbort(error)) setLookup(toProblem(error).detail);
      });
      listTuned(controller.signal).then(setKnown, () => undefined);
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [draft]);
  return (
    <section className="tuner" aria-label="Cache" tabIndex={0}>
      {typeof lookup === 'string' && <p role="alert">{lookup}</p>}
      {lookup === null && <p className="panel-message muted">Loading…</p>}
      {lookup !== null && typeof lookup !== 'string' && <Lookup view={lookup} />}
      <details>
        <summary>Everything that is known here: {known.length} programs</summary>
        <ul>
          {known.map(({ program, expression, entries }) => (
            <li key={program}>
              <code>{expression}</code>
              <ul>
                {entries.map((entry) => (
                  <li key={entry.key}>
                    {entry.tensors.join('; ')}: {counted(entry.schedules.length, 'schedule')}, the fastest{' '}
                    {formatNanoseconds(entry.schedules[0]?.median_ns ?? 0)},{' '}
                    {entry.here ? 'on this machine' : `on ${entry.schedules[0]?.machine ?? 'another machine'}`},{' '}
                    {entry.schedules[0]?.date.slice(0, 10)}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function Lookup({ view }: { readonly view: LookupView }) {
  const store = useStore();
  return (
    <>
      <p>
        Canonical form: <code>{view.canonical}</code>
      </p>
      <p className="caption muted">
        {Object.entries(view.names)
          .map(([name, short]) => `${name} is ${short}`)
          .join(', ')}
      </p>
      {view.offers.length === 0 ? (
        <p role="status">No schedule is known for this program. The tuner searches for one.</p>
      ) : (
        <div className="table-scroll" role="group" aria-label="Known schedules" tabIndex={0}>
          <table>
            <caption>
              <span role="status">
                Known: {counted(view.offers.length, 'schedule')} that{' '}
                {view.offers.length === 1 ? 'compiles' : 'compile'} here
              </span>
            </caption>
            <thead>
              <tr>
                <th scope="col">Median</th>
                <th scope="col">Found for</th>
                <th scope="col">Commands</th>
                <th scope="col">Editor</th>
              </tr>
            </thead>
            <tbody>
              {view.offers.map((offer) => (
                <tr key={`${offer.schedule.join(';')}${offer.date}${offer.median_ns}`}>
                  <td>
                    {formatNanoseconds(offer.median_ns)}
                    {offer.tied ? ', tied for the fastest' : ''}
                  </td>
                  <td>
                    {offer.nearness}, {offer.date.slice(0, 10)}
                  </td>
                  <td>
                    <code>{offer.schedule.join('; ') || 'no command'}</code>
                  </td>
                  <td>
                    <button
                      type="button"
                      className="button"
                      onClick={() => store.update({ kind: 'open', draft: readPlan(offer.plan) })}
                    >
                      Use
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {view.kept_out.length > 0 && (
        <ul aria-label="Kept out" className="caption">
          {view.kept_out.map(({ schedule, reason }) => (
            <li key={schedule.join(';')}>
              <code>{schedule.join('; ')}</code>: {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
