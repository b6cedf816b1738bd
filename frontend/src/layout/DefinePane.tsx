import { ExpressionEditor } from '../editor/ExpressionEditor';
import { FormatList } from '../editor/FormatList';
import { ScheduleEditor } from '../editor/ScheduleEditor';
import { Pane } from './Pane';

export function DefinePane() {
  return (
    <Pane name="define" title="Define">
      <div className="pane-body define-body">
        <ExpressionEditor />
        <FormatList />
        <ScheduleEditor />
      </div>
    </Pane>
  );
}
