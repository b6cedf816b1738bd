import { useState } from 'react';
import { deleteClass, getClassTable, removeStudent } from '../../api/classrooms';
import { isAbort, toProblem } from '../../api/client';
import { download } from '../../components/download';
import { forgetTaught, keyText } from '../../state/lessons/classrooms';
import type { OwnClass } from '../../state/lessons/classrooms';
import { inviteLink } from '../../state/lessons/course-address';
import type { TaskName } from './class-rows';
import { ClassTable } from './ClassTable';
import { Obstacles } from './Obstacles';
import { Solutions } from './Solutions';
import { TwoSteps } from './TwoSteps';
import { useClass } from './use-class';

interface Props {
  readonly own: OwnClass;
  readonly onBack: () => void;
  readonly onProjector: () => void;
}

/** One class, as its teacher sees it. */
export function ClassPage({ own, onBack, onProjector }: Props) {
  const { view, problem } = useClass(own);
  const [task, setTask] = useState<TaskName | null>(null);
  const [said, setSaid] = useState('');
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (error) {
      if (!isAbort(error)) setSaid(toProblem(error).detail);
    }
  };
  const copy = async (text: string, done: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(done);
    } catch {
      setSaid(text);
    }
  };
  const save = async (): Promise<void> => {
    download(await getClassTable(own.code, own.key), 'text/csv', `class-${own.code}.csv`);
  };
  const remove = async (): Promise<void> => {
    await deleteClass(own.code, own.key);
    forgetTaught(own.code);
    onBack();
  };
  const forget = (): void => {
    forgetTaught(own.code);
    onBack();
  };
  const invitation = inviteLink(own.code, window.location.origin);
  return (
    <>
      <p className="class-code">
        Code for students: <b>{own.code}</b>
      </p>
      <div className="class-actions">
        <button type="button" className="button quiet" onClick={onBack}>
          All classes
        </button>
        <button type="button" className="button" onClick={() => void copy(invitation, 'Copied: the link to join.')}>
          Copy the link for students
        </button>
        <button
          type="button"
          className="button"
          onClick={() => void copy(keyText(own), 'Copied. Anyone who has this key can act as the teacher.')}
        >
          Copy the teacher’s key
        </button>
        <button type="button" className="button" onClick={() => void attempt(save)}>
          Save as CSV
        </button>
        <TwoSteps
          label="Delete the class"
          sure="Delete it, with all that students submitted"
          onSure={() => void attempt(remove)}
        />
      </div>
      <p role="status" className="lesson-said">
        {said}
      </p>
      {problem !== null && (
        <div role="alert">
          <p>{problem.detail}</p>
          {(problem.status === 401 || problem.status === 404) && (
            <button type="button" className="button" onClick={forget}>
              Take it off the list
            </button>
          )}
        </div>
      )}
      {view === null && problem === null && <p className="muted">Loading…</p>}
      {view !== null && (
        <>
          {view.students.length === 0 ? (
            <p>Nobody has joined yet. Give students the code, or the link.</p>
          ) : (
            <ClassTable
              view={view}
              chosen={task}
              onChoose={setTask}
              onRemove={(number) =>
                void attempt(async () => {
                  await removeStudent(own.code, own.key, number);
                })
              }
            />
          )}
          {task !== null && <Solutions key={task.label} own={own} task={task} view={view} onProjector={onProjector} />}
          <Obstacles view={view} />
          <p className="caption muted">
            {view.until === null
              ? 'This server keeps classes until they are deleted.'
              : `The class is deleted on ${view.until.slice(0, 10)} if nothing happens in it until then.`}
          </p>
        </>
      )}
    </>
  );
}
