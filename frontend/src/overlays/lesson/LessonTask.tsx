import { useState } from 'react';
import { submitTask } from '../../api/classrooms';
import { checkTask, toProblem } from '../../api/client';
import type { LessonTaskView, TaskResultView } from '../../api/types';
import { canonicalJson, toPlan } from '../../plan/plan';
import { getClassrooms, useMembership } from '../../state/lessons/classrooms';
import { getProgress, setDone, taskKey, useProgress } from '../../state/lessons/progress';
import { receiptLink } from '../../state/lessons/receipt';
import { keepReceipt, useReceipt } from '../../state/lessons/receipt-store';
import { useStore } from '../../state/store';
import type { State } from '../../state/store';
import { LessonChecks } from './LessonChecks';
import { LessonLine } from './LessonText';
import { openTask } from './open-task';

interface Props {
  readonly lesson: string;
  readonly task: LessonTaskView;
  readonly number: number;
  /** Called after a wrong answer: the service may ask another question from now on. */
  readonly onWrong: () => void;
}

/** A task: where it starts, what it asks, and what the service found of the plan that is open. */
export function LessonTask({ lesson, task, number, onWrong }: Props) {
  const store = useStore();
  const joined = useMembership();
  const medals = useProgress().done[taskKey(lesson, task.id)];
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({});
  const [result, setResult] = useState<TaskResultView | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [hints, setHints] = useState(0);
  const receipt = useReceipt(taskKey(lesson, task.id));
  const [said, setSaid] = useState('');

  const check = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    setSaid('');
    try {
      const state = store.get();
      const submission = { plan: toPlan(state.draft), answers, seed: getProgress().seed, run: runOf(state) };
      const { joined } = getClassrooms();
      const found =
        joined === null
          ? await checkTask(lesson, task.id, submission)
          : await submitTask(joined.code, joined.key, {
              lesson,
              task: task.id,
              plan: submission.plan,
              answers,
              run: submission.run,
            });
      // A hint is about the state that one is in: another state begins with its first one.
      if (found.hints.join() !== result?.hints.join()) setHints(0);
      setResult(found);
      if (found.passed) {
        const { seed } = task;
        keepReceipt(
          taskKey(lesson, task.id),
          receiptLink({ lesson, task: task.id, seed, answers, draft: state.draft }),
        );
        setDone(lesson, task.id, found.medals);
      } else if (task.questions.length > 0) onWrong();
    } catch (error) {
      setFailure(toProblem(error).detail);
    } finally {
      setBusy(false);
    }
  };
  const copy = async (link: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      setSaid('Copied. Hand it in where your teacher says.');
    } catch {
      setSaid(link);
    }
  };
  const start = (): void => openTask(store, task);
  return (
    <section className="lesson-task" aria-label={`Task ${String(number)}`} data-done={medals ? '' : undefined}>
      <h3>
        Task {number}
        {medals !== undefined && <span className="lesson-done"> ✓ done{medals.map((one) => `, ${one}`)}</span>}
      </h3>
      <p>
        <LessonLine text={task.say} terms />
      </p>
      {task.questions.map(({ name, say, choices }) => (
        <label key={name} className="lesson-question">
          <span>
            <LessonLine text={say} />
          </span>
          {choices.length > 0 ? (
            <select
              value={answers[name] ?? ''}
              onChange={(event) => setAnswers({ ...answers, [name]: event.target.value })}
            >
              <option value="">Choose …</option>
              {choices.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </select>
          ) : (
            <input
              value={answers[name] ?? ''}
              maxLength={200}
              inputMode="decimal"
              onChange={(event) => setAnswers({ ...answers, [name]: event.target.value })}
            />
          )}
        </label>
      ))}
      <div className="lesson-buttons">
        <button type="button" className="button" onClick={start}>
          Open its plan
        </button>
        <button type="button" className="button primary" disabled={busy} onClick={() => void check()}>
          {busy ? 'Checking …' : 'Check'}
        </button>
      </div>
      {joined !== null && (
        <p className="caption muted">
          Checks go to your teacher: you are {joined.nickname} in {joined.title}.
        </p>
      )}
      <div role="status">
        {failure !== null && <p className="lesson-failure">{failure}</p>}
        {result !== null && <LessonChecks result={result} medals={task.medals} />}
        {result?.hints.slice(0, hints).map((hint) => (
          <p key={hint} className="lesson-hint">
            <b>Hint: </b>
            <LessonLine text={hint} />
          </p>
        ))}
      </div>
      {receipt !== null && (
        <button type="button" className="button quiet" onClick={() => void copy(window.location.origin + receipt)}>
          Copy a receipt
        </button>
      )}
      <p role="status" className="lesson-said">
        {said}
      </p>
      {result !== null && hints < result.hints.length && (
        <button type="button" className="button quiet" onClick={() => setHints(hints + 1)}>
          {hints === 0 ? 'Give me a hint' : 'Another hint'}
        </button>
      )}
    </section>
  );
}

/** The run that ended and was of the plan that is open, for medals. */
function runOf({ run, draft }: State): string | null {
  const same = run.view?.state === 'done' && canonicalJson(run.plan) === canonicalJson(toPlan(draft));
  return same ? (run.view?.id ?? null) : null;
}
