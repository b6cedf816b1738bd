import type { Knowledge } from '../../editor/knowledge';
import { legalKey } from '../../state/editing/legal';
import { toPlan } from '../../plan/plan';
import { useStore } from '../../state/store';
import { useLegal } from '../../state/use-legal';
import { legalDraft } from '../../components/candidates/candidates';
import { draftCommand } from './fields';

interface Props {
  readonly knowledge: Knowledge;
  readonly text: string;
}

/** Appends a row for any command of the registry, with arguments that are legal in the program as it stands. */
export function AddCommand({ knowledge, text }: Props) {
  const store = useStore();
  useLegal();
  return (
    <select
      className="add-command"
      aria-label="Add a command"
      value=""
      onChange={(event) => {
        const spec = knowledge.commands.find(({ name }) => name === event.target.value);
        if (spec === undefined) return;
        const draft = draftCommand(spec, text, knowledge);
        const { view, key } = store.legal.get();
        // Without an answer about this very text the draft goes in as it is; the row then says what is wrong with it.
        const known = view?.ok === true && key === legalKey(toPlan(store.get().draft));
        const command = known ? legalDraft(spec.name, draft, view) : draft;
        store.update({ kind: 'row', change: { kind: 'insert', before: null, command } });
      }}
    >
      <option value="" disabled>
        + Add a command
      </option>
      {knowledge.commands.map(({ name, summary }) => (
        <option key={name} value={name} title={summary}>
          {name}: {summary}
        </option>
      ))}
    </select>
  );
}
