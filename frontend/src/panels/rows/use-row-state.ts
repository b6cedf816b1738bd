import { useMemo } from 'react';
import type { DiagnosticView } from '../../api/types';
import type { ScheduleRow } from '../../schedule/schedule-lines';
import { useSelect } from '../../state/store';

export interface RowState {
  readonly status: 'applied' | 'failed' | 'skipped' | 'waiting' | 'disabled' | 'note';
  readonly diagnostics: readonly DiagnosticView[];
}

/** What the last compile says of a row; nothing while its answer is about another text of the row. */
export function useRowState(row: ScheduleRow): RowState {
  const result = useSelect((state) => state.compile.result);
  return useMemo(() => {
    if (row.kind !== 'command') return { status: row.kind, diagnostics: [] };
    const command = result?.commands.find(({ index }) => index === row.index);
    const diagnostics = (result?.diagnostics ?? []).filter(
      ({ location }) => location?.part === 'schedule' && (location.command ?? 0) === row.index,
    );
    // A schedule that was not reached (the expression is wrong, say) has messages at most.
    if (command === undefined) return { status: diagnostics.length > 0 ? 'failed' : 'waiting', diagnostics };
    if (command.text.trim() !== row.text) return { status: 'waiting', diagnostics: [] };
    const failed = diagnostics.some(({ severity }) => severity === 'error');
    return { status: failed ? 'failed' : command.status, diagnostics };
  }, [result, row.kind, row.index, row.text]);
}
