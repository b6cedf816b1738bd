import { Dock } from '../components/dock/Dock';
import { ExpressionEditor } from '../editor/expression/ExpressionEditor';
import { FormatList } from '../editor/FormatList';
import { ScheduleText } from '../editor/schedule/ScheduleText';

/** The plan of a frame, to be changed in place. */
export default function EmbedEditor() {
  return (
    <Dock>
      <div className="pane-body define-body">
        <ExpressionEditor />
        <FormatList />
        <h2>Schedule</h2>
        <ScheduleText />
      </div>
    </Dock>
  );
}
