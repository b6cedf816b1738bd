import { ResultPane } from './ResultPane';
import { UNDERSTAND_TABS } from './tabs';

/** What the schedule does. */
export function UnderstandPane() {
  return (
    <ResultPane
      name="understand"
      label="Diagrams"
      tabs={UNDERSTAND_TABS}
      waiting="The graphs appear when the expression compiles."
    />
  );
}
