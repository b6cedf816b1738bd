import { useState } from 'react';
import { enterCode, isAbort, toProblem } from '../../api/client';
import { Dialog } from '../../components/Dialog';

/** Asks for the code of a class. What was refused goes on once the server has taken it. */
export function CodeDialog({ onAnswer }: { readonly onAnswer: (accepted: boolean) => void }) {
  const [code, setCode] = useState('');
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  const send = async (): Promise<void> => {
    setSending(true);
    try {
      await enterCode(code);
      onAnswer(true);
    } catch (error) {
      if (!isAbort(error)) setRefusal(toProblem(error).detail);
      setSending(false);
    }
  };

  return (
    <Dialog title="A code is needed" className="code-dialog" onClose={() => onAnswer(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p>
          On this server, runs, uploads and links are for those who have a code. You only enter it once in this browser.
        </p>
        <label>
          Code of your class
          <input
            type="text"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </label>
        {refusal !== null && <p role="alert">{refusal}</p>}
        <button type="submit" className="button" disabled={sending || code.trim() === ''}>
          Enter
        </button>
      </form>
    </Dialog>
  );
}
