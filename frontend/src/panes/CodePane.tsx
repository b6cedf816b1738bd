import { ResultPane } from './ResultPane';
import { CODE_TABS } from './tabs';

/** What comes out. */
export function CodePane() {
  return (
    <ResultPane
      name="code"
      label="Generated code"
      tabs={CODE_TABS}
      waiting="The code appears when the expression compiles."
    />
  );
}
