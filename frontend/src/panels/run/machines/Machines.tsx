import type { WorkerView } from '../../../api/types';
import { describeMachine } from './describe-machine';
import {
  describeFailedProbes,
  describeState,
  describeStream,
  describeLoadedWaking,
  describeWaking,
  describeTargets,
  describeWorkers,
} from './describe-workers';

interface Props {
  readonly workers: readonly WorkerView[] | null;
  readonly onOpen: (open: boolean) => void;
}

/** Where a run may be timed: every worker that is connected, with what it offers and whether it is free. */
export function Machines({ workers, onOpen }: Props) {
  return (
    <details className="machines" onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary>Machines: {describeWorkers(workers)}</summary>
      <ul aria-label="Machines">
        {(workers ?? []).map((worker) => (
          <li key={worker.name}>
            <strong>{worker.name}</strong> <span>{describeState(worker)}</span>
            <span className="caption block">Runs {describeTargets(worker)}.</span>
            {describeFailedProbes(worker).map((failure) => (
              <span key={failure} className="caption block">
                {failure}
              </span>
            ))}
            <span className="caption muted block">
              {[
                describeMachine(worker.facts),
                describeStream(worker),
                describeWaking(worker),
                describeLoadedWaking(worker),
              ]
                .filter((part) => part !== null)
                .join('; ')}
              .
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
