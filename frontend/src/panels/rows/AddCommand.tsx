import type { Knowledge } from '../../editor/knowledge';
import { useStore } from '../../state/store';
import { draftCommand } from './fields';

interface Props {
  readonly knowledge: Knowledge;
  readonly text: string;
}

/** Appends a row for any command of the registry, with arguments that fit the program as it stands. */
export function AddCommand({ knowledge, text }: Props) {
  const store = useStore();
  return (
    <select
      className="add-command"
      aria-label="Add a command"
      value=""
      onChange={(event) => {
        const spec = knowledge.commands.find(({ name }) => name === event.target.value);
        if (spec === undefined) return;
        const command = draftCommand(spec, text, knowledge);
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
