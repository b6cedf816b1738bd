import { ExpressionEditor } from '../editor/ExpressionEditor';
import { FormatList } from '../editor/FormatList';
import { SetAside } from '../editor/SetAside';
import { ScheduleEditor } from './ScheduleEditor';
import { Pane } from './Pane';

export function DefinePane() {
  return (
    <Pane name="define">
      <div className="pane-body define-body">
        <ExpressionEditor />
        <SetAside />
        <FormatList />
        <ScheduleEditor />
      </div>
    </Pane>
  );
}
