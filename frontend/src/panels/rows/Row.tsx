import type { KeyboardEvent } from 'react';
import type { Knowledge } from '../../editor/knowledge';
import { printCommand } from '../../schedule/schedule-lines';
import type { RowChange, ScheduleRow } from '../../schedule/schedule-lines';
import { linkId, useLinked } from '../../state/links';
import { useStore } from '../../state/store';
import { ArgumentField } from './ArgumentField';
import { Explain } from './Explain';
import { fieldsOf } from './fields';
import { RowButton } from './RowButton';
import type { RowDrag } from './use-row-drag';
import { useRowState } from './use-row-state';

interface Props {
  readonly row: ScheduleRow;
  readonly place: number;
  readonly rows: readonly ScheduleRow[];
  /** The text above the row. */
  readonly earlier: string;
  readonly knowledge: Knowledge;
  readonly drag: RowDrag;
  readonly say: (words: string) => void;
}

/** One line of the schedule: handle, number, command, arguments, and what can be done with the row. */
export function Row({ row, place, rows, earlier, knowledge, drag, say }: Props) {
  const store = useStore();
  const { status, diagnostics } = useRowState(row);
  const { props: link } = useLinked(row.index === null ? [] : linkId.command(row.index));
  const spec = knowledge.commands.find(({ name }) => name === row.name);
  const fields = spec ? fieldsOf(spec, row.arguments, earlier, knowledge, row.selector !== '') : [];
  const called = row.kind === 'note' ? `note on row ${place + 1}` : `row ${place + 1}, ${row.name}`;
  const change = (next: RowChange): void => store.update({ kind: 'row', change: next });
  const write = (position: number, value: string): void => {
    const given = [...row.arguments];
    while (given.length <= position) given.push('');
    given[position] = value;
    const variadic = spec?.parameters.at(-1)?.kind === 'variables';
    const kept = variadic ? given.filter((argument) => argument !== '') : given;
    change({ kind: 'write', line: row.line, command: printCommand(row.name, kept, row.selector) });
  };
  const move = (by: number, element: HTMLElement): void => {
    const to = rows[place + by]?.line;
    if (to === undefined) return say(`Row ${place + 1} is already ${by < 0 ? 'first' : 'last'}.`);
    const list = element.closest('ol');
    change({ kind: 'move', line: row.line, to });
    say(`${row.name || 'The note'} moved to row ${place + by + 1} of ${rows.length}.`);
    // The focus goes with the row.
    requestAnimationFrame(() => list?.querySelectorAll<HTMLElement>('.row-handle')[place + by]?.focus());
  };
  const keys = (event: KeyboardEvent<HTMLElement>): void => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const onHandle = event.target instanceof Element && event.target.matches('.row-handle');
    if (by === undefined || !(event.altKey || onHandle)) return;
    event.preventDefault();
    move(by, event.currentTarget);
  };
  return (
    <li
      className={`row row-${row.kind}${drag.from === place ? ' row-dragged' : ''}`}
      data-status={status}
      data-drop={drag.from !== null && drag.over === place && drag.from !== place ? '' : undefined}
      data-link={link['data-link'] || undefined}
      data-linked={link['data-linked']}
      onPointerEnter={link.onPointerEnter}
      onPointerLeave={link.onPointerLeave}
      onFocus={link.onFocus}
      onBlur={link.onBlur}
      onKeyDown={keys}
    >
      <div className="row-line">
        <button
          type="button"
          className="row-handle"
          aria-label={`Move ${called}`}
          data-tip="Drag, or press ↑ and ↓"
          {...drag.handle(place)}
        >
          <span aria-hidden="true">⠿</span>
        </button>
        <span className="row-number" aria-hidden="true">
          {row.index === null ? '' : row.index + 1}
        </span>
        <RowStatus status={status} />
        {row.kind === 'note' ? (
          <span className="row-note muted">{row.text}</span>
        ) : spec ? (
          <span className="row-command">
            {row.selector !== '' && <code className="row-parts">{row.selector}:</code>}
            <code className="row-name" data-tip={spec.summary}>
              {row.name}
            </code>
            {fields.map((field) => (
              <ArgumentField
                key={field.position}
                field={field}
                row={place + 1}
                onChange={(value) => write(field.position, value)}
              />
            ))}
            {spec.parameters.at(-1)?.kind === 'variables' && (
              <ArgumentField
                key={`more ${fields.length}`}
                field={{ ...moreOf(fieldsOf(spec, [...row.arguments, ''], earlier, knowledge, row.selector !== '')) }}
                row={place + 1}
                onChange={(value) => write(row.arguments.length, value)}
              />
            )}
          </span>
        ) : (
          <input
            className="code-input row-raw"
            aria-label={`Command of row ${place + 1}`}
            value={row.text}
            spellCheck={false}
            onChange={(event) => change({ kind: 'write', line: row.line, command: event.target.value || '?' })}
          />
        )}
        <span className="row-tools">
          {row.kind !== 'note' && (
            <>
              <RowButton
                label={`${row.kind === 'command' ? 'Disable' : 'Enable'} ${called}`}
                pressed={row.kind === 'disabled'}
                icon={row.kind === 'command' ? 'disable' : 'enable'}
                onPress={() => change({ kind: 'toggle', line: row.line })}
              />
              <RowButton
                label={`Duplicate ${called}`}
                icon="duplicate"
                onPress={() => change({ kind: 'duplicate', line: row.line })}
              />
            </>
          )}
          <RowButton
            label={`Remove ${called}`}
            icon="remove"
            onPress={() => {
              change({ kind: 'remove', line: row.line });
              say(`Row ${place + 1} removed. Undo brings it back.`);
            }}
          />
        </span>
      </div>
      <Explain
        row={row}
        label={`Problems in row ${place + 1}`}
        spec={spec}
        diagnostics={diagnostics}
        onDisable={() => change({ kind: 'toggle', line: row.line })}
      />
    </li>
  );
}

function moreOf<T>(fields: readonly T[]): T {
  const last = fields.at(-1);
  if (last === undefined) throw new Error('a command with variables has a field for them');
  return last;
}

const STATUS = {
  applied: ['✓', 'applied'],
  failed: ['✕', 'does not apply'],
  skipped: ['…', 'waits for the row that does not apply'],
  waiting: ['', 'not compiled yet'],
  disabled: ['', 'disabled'],
  note: ['', 'note'],
} as const;

function RowStatus({ status }: { readonly status: keyof typeof STATUS }) {
  const [icon, words] = STATUS[status];
  return (
    <span className="row-status" data-tip={words}>
      <span aria-hidden="true">{icon}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
