import type { FixView, RunResult, RunView } from '../../../api/types';
import { Figures } from '../Figures';
import { ResultView } from './ResultView';
import { SaveMeasurement } from './SaveMeasurement';

interface Props {
  readonly view: RunView;
  readonly result: RunResult;
  readonly stored: boolean;
  readonly onRepeat: (() => void) | undefined;
  readonly onFix: ((fix: FixView) => void) | undefined;
}

/** All that came of a run: verdict, contenders, figures and files. Before the first run nothing of it is needed. */
export default function FinishedRun({ view, result, stored, onRepeat, onFix }: Props) {
  return (
    <ResultView result={result} stored={stored} reused={view.measured_by !== null} onRepeat={onRepeat} onFix={onFix}>
      <Figures runId={view.id} names={view.figures} />
      <SaveMeasurement run={{ ...view, result }} />
    </ResultView>
  );
}
