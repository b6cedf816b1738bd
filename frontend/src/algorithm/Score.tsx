import { useId, useState } from 'react';
import { scoreModels, toProblem } from '../api/client';
import { counted } from '../text/quantities';

/** The id in the address of a run, or the text as it is. */
export const idOf = (text: string): string => /[?&]decomposition=([^&#]+)/.exec(text)?.[1] ?? text.trim();

/** How alike this model and that of another run are. */
export function Score({ id }: { readonly id: string }) {
  const field = useId();
  const [other, setOther] = useState('');
  const [said, setSaid] = useState('');
  const ask = async (): Promise<void> => {
    try {
      const { score, components } = await scoreModels(id, decodeURIComponent(idOf(other)));
      setSaid(`Score ${score.toFixed(6)} over ${counted(components, 'component')}; 1 is the same model.`);
    } catch (error) {
      setSaid(toProblem(error).detail);
    }
  };
  return (
    <form
      className="algorithm-actions"
      aria-label="Score against another run"
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <span className="field">
        <label htmlFor={field}>Address or id of another run</label>
        <input id={field} value={other} onChange={(event) => setOther(event.target.value)} />
      </span>
      <button type="submit" className="button" disabled={other.trim() === ''}>
        Score
      </button>
      <span role="status" className="caption muted">
        {said}
      </span>
    </form>
  );
}
