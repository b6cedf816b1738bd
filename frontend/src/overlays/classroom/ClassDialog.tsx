import { useState } from 'react';
import { makeClass } from '../../api/classrooms';
import { isAbort, toProblem } from '../../api/client';
import { Dialog } from '../../components/Dialog';
import { loadClassrooms, readKeyText, teach, useTaught } from '../../state/lessons/classrooms';
import type { OwnClass } from '../../state/lessons/classrooms';
import { ClassPage } from './ClassPage';
import './classroom.css';

/** A teacher's side of classes: making one, opening one, and what is done in it. */
export default function ClassDialog({ onClose }: { readonly onClose: () => void }) {
  useState(loadClassrooms);
  const [code, setCode] = useState<string | null>(null);
  const taught = useTaught();
  const open = taught.find((one) => one.code === code) ?? null;
  return (
    <Dialog title={open === null ? 'Teach a class' : open.title} className="class-dialog" onClose={onClose}>
      {open === null ? (
        <Classes taught={taught} onOpen={setCode} />
      ) : (
        <ClassPage key={open.code} own={open} onBack={() => setCode(null)} onProjector={onClose} />
      )}
    </Dialog>
  );
}

interface ClassesProps {
  readonly taught: readonly OwnClass[];
  readonly onOpen: (code: string) => void;
}

function Classes({ taught, onOpen }: ClassesProps) {
  const [title, setTitle] = useState('');
  const [key, setKey] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    setFailure(null);
    try {
      const made = await makeClass(title);
      teach(made);
      onOpen(made.code);
    } catch (error) {
      if (!isAbort(error)) setFailure(toProblem(error).detail);
    }
  };
  const carry = (): void => {
    const found = readKeyText(key);
    if (found === null) return setFailure('Expected a teacher’s key, like ABCD-2345.… : copy it from the class.');
    teach({ ...found, code: spelled(found.code), title: `Class ${spelled(found.code)}` });
    onOpen(spelled(found.code));
  };
  return (
    <>
      <p className="muted">
        Students join with the code of your class and a nickname. Each plan that they check is checked by the service,
        and you see it here. Nothing personal is kept.
      </p>
      {taught.length > 0 && (
        <ul className="lesson-list" aria-label="Your classes">
          {taught.map((one) => (
            <li key={one.code}>
              <button type="button" className="button" onClick={() => onOpen(one.code)}>
                Open {one.title} ({one.code})
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        className="class-form"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <label>
          Name of the class
          <input value={title} maxLength={80} autoComplete="off" onChange={(event) => setTitle(event.target.value)} />
        </label>
        <button type="submit" className="button primary">
          Make a class
        </button>
      </form>
      <details>
        <summary>Open a class that was made in another browser</summary>
        <form
          className="class-form"
          onSubmit={(event) => {
            event.preventDefault();
            carry();
          }}
        >
          <label>
            Teacher’s key
            <input value={key} maxLength={120} autoComplete="off" onChange={(event) => setKey(event.target.value)} />
          </label>
          <button type="submit" className="button">
            Open
          </button>
        </form>
      </details>
      {failure !== null && <p role="alert">{failure}</p>}
    </>
  );
}

const spelled = (code: string): string => {
  const letters = code.replace('-', '').toUpperCase();
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
};
