import { useRef, useState } from 'react';
import { scheduleRows } from '../../schedule/schedule-lines';
import { useKnowledge } from '../../editor/use-knowledge';
import { useSelect } from '../../state/store';
import { NoSchedule } from '../../editor/schedule/NoSchedule';
import { AddCommand } from './AddCommand';
import { Row } from './Row';
import './rows.css';
import { useRowDrag } from './use-row-drag';

/** The schedule as rows made from the registry of commands; each row is one line of the text. */
export default function ScheduleRows() {
  const text = useSelect((state) => state.draft.schedule);
  const knowledge = useKnowledge();
  const list = useRef<HTMLOListElement>(null);
  const [said, say] = useState('');
  const rows = scheduleRows(text);
  const drag = useRowDrag(list, rows);
  const lines = text.split('\n');
  return (
    <div className="schedule-rows">
      {rows.length === 0 && <NoSchedule advice="Add a command." />}
      <ol ref={list} className="rows" aria-label="Commands of the schedule">
        {rows.map((row, place) => (
          <Row
            // A row is its line: what is typed into row 10 stays with row 10.
            key={row.line}
            row={row}
            place={place}
            rows={rows}
            earlier={lines.slice(0, row.line).join('\n')}
            knowledge={knowledge}
            drag={drag}
            say={say}
          />
        ))}
      </ol>
      <AddCommand knowledge={knowledge} text={text} />
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </div>
  );
}
