import { Dock } from '../components/dock/Dock';
import { ExpressionEditor } from '../editor/expression/ExpressionEditor';
import { FormatList } from '../editor/FormatList';
import { SetAside } from '../editor/expression/SetAside';
import { SizeFields } from '../editor/sizes/SizeFields';
import { WorkspaceList } from '../editor/WorkspaceList';
import { ScheduleEditor } from './ScheduleEditor';
import { Pane } from './Pane';

export function DefinePane() {
  return (
    <Pane name="define">
      <Dock>
        <div className="pane-body define-body">
          <ExpressionEditor />
          <SetAside />
          <SizeFields />
          <FormatList />
          <ScheduleEditor />
          <WorkspaceList />
        </div>
      </Dock>
    </Pane>
  );
}
