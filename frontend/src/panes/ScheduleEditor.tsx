import { Suspense, useRef, useState } from 'react';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { ScheduleText } from '../editor/schedule/ScheduleText';
import { SuggestSchedule } from '../editor/schedule/SuggestSchedule';
import { becomesLoops } from '../plan/plan';
import { useSelect, useStore } from '../state/store';
import { SCHEDULE_FORMS } from '../state/view-state';
import type { ScheduleForm } from '../state/view-state';
import { lazyFile } from '../components/loading/lazy-file';

const ScheduleRows = lazyFile(() => import('../panels/rows/ScheduleRows'));
const NextCommands = lazyFile(() => import('../panels/next/NextCommands'));

const FORM_TITLES: Readonly<Record<ScheduleForm, string>> = { text: 'Text', rows: 'Rows' };

/** The schedule, as text or as rows: two views of the same lines. */
export function ScheduleEditor() {
  const store = useStore();
  const chosen = useSelect((state) => state.view.schedule);
  // Rows and programs for TACO have the commands of statements; steps that rewrite patterns are none.
  const hasCommands = !becomesLoops(useSelect((state) => state.draft.language));
  const form = hasCommands ? chosen : 'text';
  return (
    <div className="part part-grow" id="schedule" tabIndex={-1}>
      <div className="part-head">
        <h2>Schedule</h2>
        {hasCommands && (
          <div role="group" aria-label="Edit the schedule as" className="segments">
            {SCHEDULE_FORMS.map((one) => (
              <button key={one} type="button" aria-pressed={one === form} onClick={() => store.look({ schedule: one })}>
                {FORM_TITLES[one]}
              </button>
            ))}
          </div>
        )}
      </div>
      {form === 'text' ? (
        <ScheduleText />
      ) : (
        <ErrorBoundary name="The rows" resetKey={form}>
          <Suspense fallback={<p className="muted">Loading…</p>}>
            <ScheduleRows />
          </Suspense>
        </ErrorBoundary>
      )}
      <div className="schedule-ways">
        <SuggestSchedule />
      </div>
      <WhatMayComeNext />
    </div>
  );
}

function WhatMayComeNext() {
  const store = useStore();
  const open = useSelect((state) => state.view.next);
  const button = useRef<HTMLButtonElement>(null);
  // Who opens it wants to read it; who comes by a link in which it is open reads from the top.
  const [pressed, setPressed] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="button quiet next-open"
        aria-expanded={open}
        onClick={() => {
          setPressed(!open);
          store.look({ next: !open });
        }}
      >
        <span aria-hidden="true">{open ? '▾' : '▸'}</span> What may come next
      </button>
      {open && (
        <ErrorBoundary name="What may come next" resetKey={open}>
          <Suspense fallback={<p className="muted caption">Loading…</p>}>
            <NextCommands opener={pressed ? button : null} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}
