import { autocompletion } from '@codemirror/autocomplete';
import { lintGutter } from '@codemirror/lint';
import { lineNumbers, placeholder } from '@codemirror/view';
import type { EditorView } from '@codemirror/view';
import { lazy, Suspense, useCallback, useMemo, useRef } from 'react';
import type { DiagnosticView } from '../api/types';
import { DiagnosticList } from '../components/DiagnosticList';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { SCHEDULE_FORMS } from '../state/view-state';
import type { ScheduleForm } from '../state/view-state';
import { useSelect, useStore } from '../state/store';
import { CodeEditor } from './code-editor';
import { rangeInSchedule, toLint } from './diagnostic-ranges';
import { linkDecorations } from './link-decorations';
import { scheduleCompletion } from './schedule-completion';
import { scheduleHover } from './schedule-hover';
import { scheduleMarks } from './schedule-marks';
import { NoSchedule } from './NoSchedule';
import { SuggestSchedule } from './SuggestSchedule';
import { useKnowledge } from './use-knowledge';

const ScheduleRows = lazy(() => import('../panels/rows/ScheduleRows'));
const NextCommands = lazy(() => import('../panels/next/NextCommands'));

const FORM_TITLES: Readonly<Record<ScheduleForm, string>> = { text: 'Text', rows: 'Rows' };
const NO_DIAGNOSTICS: readonly DiagnosticView[] = [];
const EXTENSIONS = [
  lineNumbers(),
  lintGutter(),
  placeholder('for example: split(i, i0, i1, 32)'),
  autocompletion({ override: [scheduleCompletion], icons: false }),
  scheduleHover,
  linkDecorations(scheduleMarks),
];

/** The schedule, as text or as rows: two views of the same lines. */
export function ScheduleEditor() {
  const store = useStore();
  const form = useSelect((state) => state.view.schedule);
  return (
    <div className="part part-grow">
      <div className="part-head">
        <h2>Schedule</h2>
        <div role="group" aria-label="Edit the schedule as" className="segments">
          {SCHEDULE_FORMS.map((one) => (
            <button key={one} type="button" aria-pressed={one === form} onClick={() => store.look({ schedule: one })}>
              {FORM_TITLES[one]}
            </button>
          ))}
        </div>
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
      <SuggestSchedule />
      <WhatMayComeNext />
    </div>
  );
}

function WhatMayComeNext() {
  const store = useStore();
  const open = useSelect((state) => state.view.next);
  return (
    <>
      <button
        type="button"
        className="button quiet next-open"
        aria-expanded={open}
        onClick={() => store.look({ next: !open })}
      >
        <span aria-hidden="true">{open ? '▾' : '▸'}</span> What may come next
      </button>
      {open && (
        <ErrorBoundary name="What may come next" resetKey={open}>
          <Suspense fallback={<p className="muted caption">Loading…</p>}>
            <NextCommands />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}

/** One command a line; errors are underlined at their command and written out below. */
function ScheduleText() {
  const store = useStore();
  const text = useSelect((state) => state.draft.schedule);
  const all = useSelect((state) => state.compile.result?.diagnostics ?? NO_DIAGNOSTICS);
  const view = useRef<EditorView | null>(null);
  const knowledge = useKnowledge();
  const here = useMemo(() => all.filter(({ location }) => location?.part === 'schedule'), [all]);
  const lint = useMemo(
    () =>
      here.flatMap((diagnostic) => {
        const range = rangeInSchedule(diagnostic, text);
        return range === null ? [] : [toLint(diagnostic, range)];
      }),
    [here, text],
  );
  const change = useCallback((next: string) => store.update({ kind: 'schedule', text: next }), [store]);
  const jump = (diagnostic: DiagnosticView): void => {
    const range = rangeInSchedule(diagnostic, text);
    if (range === null || view.current === null) return;
    view.current.dispatch({ selection: { anchor: range.from, head: range.to }, scrollIntoView: true });
    view.current.focus();
  };
  return (
    <>
      <CodeEditor
        label="Schedule"
        value={text}
        onChange={change}
        extensions={EXTENSIONS}
        diagnostics={lint}
        invalid={here.some(({ severity }) => severity === 'error')}
        describedBy={here.length > 0 ? 'schedule-problems' : null}
        multiline
        knowledge={knowledge}
        viewRef={view}
      />
      {text.trim() === '' && (
        <NoSchedule
          advice={
            <>
              Try <code>split</code>.
            </>
          }
        />
      )}
      <DiagnosticList
        id="schedule-problems"
        label="Problems in the schedule"
        diagnostics={here}
        placeOf={({ location }) => (typeof location?.command !== 'number' ? null : `Command ${location.command + 1}`)}
        onJump={jump}
        onFix={(fix) => store.update({ kind: 'fix', fix })}
      />
    </>
  );
}
