/** Stored measurements of both plans, and a way to make those that are missing. */
import { useEffect, useRef, useState } from 'react';
import { createRun, findMeasuredRun, toProblem } from '../../api/client';
import { watchRun } from '../../api/run-events';
import type { RunView } from '../../api/types';
import { canonicalJson } from '../../plan/plan';
import type { PlanDocument } from '../../plan/plan';
import { useSelect } from '../../state/store';
import { wordsOf } from '../../panels/run/run-states';
import { useAnswer } from './use-answer';

export interface Measurements {
  readonly runs: readonly [left: RunView | null, right: RunView | null];
  /** What is going on, or why there is no measurement; empty for nothing to say. */
  readonly words: string;
  readonly busy: boolean;
  /** Runs both plans, one after the other; what the machine has measured already comes at once. */
  readonly measure: () => void;
}

export function useMeasurements(left: PlanDocument, right: PlanDocument, ready: boolean): Measurements {
  const [round, setRound] = useState(0);
  // A run of the page may be the measurement that was missing.
  const ended = useSelect((state) => (state.run.phase === 'ended' ? state.run.view?.id : undefined)) ?? '';
  const keyOf = (plan: PlanDocument): string | null => (ready ? `${round} ${ended} ${canonicalJson(plan)}` : null);
  const mine = useAnswer(keyOf(left), (signal) => findMeasuredRun(left, signal));
  const yours = useAnswer(keyOf(right), (signal) => findMeasuredRun(right, signal));
  const [words, setWords] = useState('');
  const [busy, setBusy] = useState(false);
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);

  const runToEnd = (plan: PlanDocument, which: string): Promise<void> =>
    createRun(plan).then(
      (run) =>
        new Promise((resolve, reject) => {
          const say = ({ state }: Pick<RunView, 'state'>): void => setWords(`${which}: ${wordsOf(state).title}`);
          say(run);
          stop.current = watchRun(run.id, {
            onState: say,
            onProgress: () => undefined,
            onCut: () => setWords(`${which}: the connection was lost; trying again`),
            onEnd: (view) => (view.state === 'done' ? resolve() : reject(new Error(endText(view)))),
          });
        }),
    );
  const measure = async (): Promise<void> => {
    setBusy(true);
    try {
      await runToEnd(left, 'First of two');
      await runToEnd(right, 'Second of two');
      setWords('');
    } catch (error) {
      setWords(toProblem(error).detail);
    } finally {
      setBusy(false);
      setRound((last) => last + 1);
    }
  };
  return {
    runs: [mine.value, yours.value],
    words: words || (mine.problem ?? yours.problem ?? ''),
    busy,
    measure: () => void measure(),
  };
}

const endText = ({ state, problem }: RunView): string => `${wordsOf(state).title}. ${problem?.detail ?? ''}`;
