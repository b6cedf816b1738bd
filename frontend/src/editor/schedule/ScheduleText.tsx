import { autocompletion } from '@codemirror/autocomplete';
import { lintGutter } from '@codemirror/lint';
import { lineNumbers, placeholder } from '@codemirror/view';
import type { EditorView } from '@codemirror/view';
import { useCallback, useMemo, useRef } from 'react';
import type { DiagnosticView } from '../../api/types';
import { Docked } from '../../components/dock/Dock';
import { DiagnosticList } from '../../components/DiagnosticList';
import { becomesLoops } from '../../plan/plan';
import { diagnosticsOf } from '../../state/diagnostics';
import { useExternal } from '../../state/external';
import { useSelect, useStore } from '../../state/store';
import { withoutWriting } from '../../state/editing/writing';
import { CodeEditor } from '../CodeEditor';
import { rangeInSchedule, toLint } from '../diagnostic-ranges';
import { followWriting } from './follow-writing';
import { linkDecorations } from '../link-decorations';
import { numberSlider } from './number-slider';
import { NoSchedule } from './NoSchedule';
import { pastedSchedule } from '../typing/pasting';
import { programming } from '../typing/programming';
import { scheduleCompletion } from './schedule-completion';
import { scheduleHover } from './schedule-hover';
import { scheduleMarks } from './schedule-marks';
import { signatureHelp } from './signature-help';
import { useKnowledge } from '../use-knowledge';

const COMMANDS = placeholder('for example: split(i, i0, i1, 32)');
const STEPS = placeholder('for example: splitUpJoin(map1, 4)');

const EXTENSIONS = [
  lineNumbers(),
  lintGutter(),
  autocompletion({ override: [scheduleCompletion], icons: false }),
  scheduleHover,
  numberSlider,
  signatureHelp,
  linkDecorations(scheduleMarks),
  pastedSchedule,
  programming,
];

/** One command per line; errors are underlined at their command and written out below. */
export function ScheduleText() {
  const store = useStore();
  const text = useSelect((state) => state.draft.schedule);
  const all = useSelect(diagnosticsOf);
  const view = useRef<EditorView | null>(null);
  const knowledge = useKnowledge();
  const writing = useExternal(store.writing, (command) => command);
  const here = useMemo(
    () => withoutWriting(all, writing).filter(({ location }) => location?.part === 'schedule'),
    [all, writing],
  );
  const lint = useMemo(
    () =>
      here.flatMap((diagnostic) => {
        const range = rangeInSchedule(diagnostic, text);
        return range === null ? [] : [toLint(diagnostic, range)];
      }),
    [here, text],
  );
  const steps = becomesLoops(useSelect((state) => state.draft.language));
  const extensions = useMemo(
    () => [...EXTENSIONS, steps ? STEPS : COMMANDS, followWriting(store.writing.set)],
    [store, steps],
  );
  const change = useCallback((next: string) => store.update({ kind: 'schedule', text: next }), [store]);
  const jump = (diagnostic: DiagnosticView): void => {
    const range = rangeInSchedule(diagnostic, text);
    if (range === null || view.current === null) return;
    view.current.dispatch({ selection: { anchor: range.from, head: range.to }, scrollIntoView: true });
    view.current.focus();
  };
  return (
    <>
      <CodeEditor
        key={steps ? 'steps' : 'commands'}
        label="Schedule"
        value={text}
        onChange={change}
        extensions={extensions}
        diagnostics={lint}
        invalid={here.some(({ severity }) => severity === 'error')}
        describedBy={here.length > 0 ? 'schedule-problems' : null}
        multiline
        knowledge={knowledge}
        viewRef={view}
      />
      {/* Its line stays when the first letter is typed. */}
      <div className="schedule-advice">
        {text.trim() === '' && (
          <NoSchedule
            advice={
              <>
                Try <code>split</code>.
              </>
            }
          />
        )}
      </div>
      <Docked>
        <DiagnosticList
          id="schedule-problems"
          label="Problems in the schedule"
          diagnostics={here}
          placeOf={({ location }) => (typeof location?.command !== 'number' ? null : `Command ${location.command + 1}`)}
          onJump={jump}
          onFix={(fix) => store.update({ kind: 'fix', fix })}
        />
      </Docked>
    </>
  );
}
