/** Every state of a run in words: what happened, and what to do. */
import type { RunStateName, RunView } from '../../api/types';
import { isCut } from '../../state/runs/run-state';
import type { RunState } from '../../state/store';
import { aboutSeconds, counted, formatDate, formatNanoseconds } from '../../text/quantities';
import { ageInWords } from './result/in-words';

export type Tone = 'busy' | 'good' | 'bad';

export interface StateWords {
  readonly tone: Tone;
  readonly title: string;
  /** What to do or expect; the problem of the run, when it has one, says what exactly happened. */
  readonly advice: string;
}

const WORDS: Readonly<Record<RunStateName, StateWords>> = {
  queued: {
    tone: 'busy',
    title: 'Waiting',
    advice: 'One run is timed at a time, so runs do not disturb each other.',
  },
  leased: { tone: 'busy', title: 'Starting', advice: 'A worker has taken the run.' },
  running: { tone: 'busy', title: 'Running', advice: '' },
  done: { tone: 'good', title: 'Done', advice: '' },
  failed: { tone: 'bad', title: 'The run failed', advice: 'Fix what the message names, then run again.' },
  refused: {
    tone: 'bad',
    title: 'The run was refused',
    advice: 'The inputs do not fit what the plan says about them. Choose another input or change the plan.',
  },
  cancelled: { tone: 'bad', title: 'Cancelled', advice: 'Nothing was measured. Press Run to start again.' },
  timeout: {
    tone: 'bad',
    title: 'Out of time',
    advice: 'The kernel ran past the time limit and was stopped. Try a smaller input or a faster schedule.',
  },
  oom: {
    tone: 'bad',
    title: 'Out of memory',
    advice: 'The run needed more memory than it is allowed. Try a smaller input or a sparse format.',
  },
  crashed: {
    tone: 'bad',
    title: 'The kernel crashed',
    advice: 'The service keeps running. A crash is a defect in Heddle: please report it with the link to this page.',
  },
  lost: {
    tone: 'bad',
    title: 'The worker was lost',
    advice: 'The worker stopped before it answered. Press Run to try again.',
  },
};

export const wordsOf = (state: RunStateName): StateWords => WORDS[state];

/** What to do: where a problem without diagnostics says it itself, nothing. */
export function adviceOf({ state, problem }: Pick<RunView, 'state' | 'problem'>): string {
  const says = state === 'refused' && problem !== null && (problem.diagnostics ?? []).length === 0;
  return says ? '' : WORDS[state].advice;
}

/** One line about a run that goes on. */
export function describeProgress(view: RunView): string {
  if (view.state === 'queued') {
    if (view.lack !== null) return describeLack(view.lack);
    const wait = view.expected_wait_seconds;
    const about = wait ? `, about ${aboutSeconds(wait)}` : '';
    if (view.queue_position === null || view.queue_position === 0) return `Next in the queue${about}`;
    return `${counted(view.queue_position, 'run')} ahead in the queue${about}`;
  }
  if (view.progress === null) return WORDS[view.state].title;
  const { phase, message } = view.progress;
  return message === '' || message === phase ? phase : `${phase}: ${message}`;
}

/** How long the run will probably take still; empty where nobody knows. */
export function describeTimeLeft({ state, progress }: Pick<RunView, 'state' | 'progress'>): string {
  const left = progress?.seconds_left ?? null;
  return state !== 'running' || left === null ? '' : `about ${aboutSeconds(left)} left`;
}

/** What a screen reader says of a run: that it goes on, that half of it is done, and what it found, and when. */
export function announcementOf(run: RunState): string {
  const { phase, view } = run;
  if (isCut(run)) return '';
  if (view === null) return phase === 'submitting' ? 'The run has started.' : '';
  const { tone, title, advice } = wordsOf(view.state);
  if (tone === 'bad') return `${title}. ${advice}`;
  if (tone === 'busy')
    return (view.progress?.fraction ?? 0) < 0.5 ? 'The run has started.' : 'Half of the run is done.';
  const headline = view.result?.conclusion?.headline;
  const times = (view.result?.entries ?? []).flatMap(({ label, median_ns: median }) =>
    median === null ? [] : [`${label} ${formatNanoseconds(median)}`],
  );
  // How old it was when it was asked for, which does not change while it is shown.
  const age =
    view.measured_by && view.result ? `It was ${ageInWords(view.result.date, Date.parse(view.created))}.` : undefined;
  return ['The run is done.', age, headline, times.length === 0 ? undefined : `${times.join(', ')}.`]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
}

function describeLack({ resource, since, until }: NonNullable<RunView['lack']>): string {
  return `for a worker with ${resource}: none has been connected since ${formatDate(since)}. Given up at ${formatDate(until)} unless one joins`;
}
