import { RunButtons } from '../panels/run/RunButtons';
import { RunOutcome } from '../panels/run/RunOutcome';
import { useWorkers } from '../panels/run/machines/use-workers';

/** Runs the plan of a frame on the data that came with it. */
export default function EmbedRun() {
  const workers = useWorkers(false);
  return (
    <div className="embed-run">
      <RunButtons workers={workers ?? []} />
      <RunOutcome />
    </div>
  );
}
