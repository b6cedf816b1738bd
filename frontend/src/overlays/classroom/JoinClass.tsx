import { useState } from 'react';
import { joinClass, removeStudent } from '../../api/classrooms';
import { isAbort, toProblem } from '../../api/client';
import { setJoined, useHomework, useInvited, useMembership } from '../../state/lessons/classrooms';
import type { Membership } from '../../state/lessons/classrooms';
import { useStore } from '../../state/store';
import { TwoSteps } from './TwoSteps';
import './classroom.css';

const GONE = [401, 404];

/** A student's side of a class: joining it with a nickname, and leaving it. */
export function JoinClass({ onClose }: { readonly onClose: () => void }) {
  const joined = useMembership();
  return (
    <section className="class-join" aria-label="Your class">
      {joined === null ? <Join onClose={onClose} /> : <Joined joined={joined} />}
    </section>
  );
}

function Join({ onClose }: { readonly onClose: () => void }) {
  const store = useStore();
  const invited = useInvited();
  const homework = useHomework();
  const [code, setCode] = useState(invited);
  const [nickname, setNickname] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const join = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const joined = await joinClass(code.trim(), nickname);
      setJoined(joined);
      if (homework !== null && joined.code === invited) {
        onClose();
        store.patch({ lesson: homework, tour: null });
      }
    } catch (error) {
      if (!isAbort(error)) setFailure(toProblem(error).detail);
    } finally {
      setBusy(false);
    }
  };
  return (
    <details open={invited !== ''}>
      <summary>Join a class</summary>
      <form
        className="class-form"
        onSubmit={(event) => {
          event.preventDefault();
          void join();
        }}
      >
        <label>
          Code of the class
          <input
            value={code}
            maxLength={40}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setCode(event.target.value)}
          />
        </label>
        <label>
          Your nickname
          <input
            ref={(input) => {
              // An attribute: a dialog focuses what has it when it opens.
              if (invited !== '') input?.setAttribute('autofocus', '');
            }}
            value={nickname}
            maxLength={40}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setNickname(event.target.value)}
          />
        </label>
        <button type="submit" className="button" disabled={busy || code.trim() === '' || nickname.trim() === ''}>
          Join
        </button>
        <p className="caption muted">
          Your teacher sees the nickname, the plans that you check, and what became of them. Nothing else is kept, and
          leaving the class deletes it.
        </p>
        {failure !== null && <p role="alert">{failure}</p>}
      </form>
    </details>
  );
}

function Joined({ joined }: { readonly joined: Membership }) {
  const [failure, setFailure] = useState<string | null>(null);
  const leave = async (): Promise<void> => {
    try {
      await removeStudent(joined.code, joined.key, joined.number);
      setJoined(null);
    } catch (error) {
      const problem = toProblem(error);
      // The class is gone, or the teacher took this student out of it: there is nothing left to delete.
      if (GONE.includes(problem.status)) setJoined(null);
      else if (!isAbort(error)) setFailure(problem.detail);
    }
  };
  return (
    <>
      <p>
        You are <b>{joined.nickname}</b> in the class <b>{joined.title}</b> ({joined.code}). What you check goes to your
        teacher.
      </p>
      <TwoSteps label="Leave the class" sure="Leave, and delete my data" onSure={() => void leave()} />
      {failure !== null && <p role="alert">{failure}</p>}
    </>
  );
}
