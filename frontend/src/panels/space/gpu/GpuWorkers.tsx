import { useMemo, useState } from 'react';
import type { CompileView, LaunchView, LaunchWorkView, TraceView } from '../../../api/types';
import { usePlayback } from '../../../state/use-playback';
import { useStore } from '../../../state/store';
import { laneLoad, threadOf } from '../../../viz/gpu/warps';
import type { ThreadPlace } from '../../../viz/gpu/warps';
import { Ramp } from '../../../components/Ramp';
import { LaneMap } from './LaneMap';
import Launches from '../../../components/launches/Launches';
import { LaneTable } from './LaneTable';
import { MemoryTable } from './MemoryTable';
import './gpu.css';
import { counted } from '../../../text/quantities';
import { Explained } from '../../../components/Term';

interface Props {
  readonly result: CompileView;
  readonly trace: TraceView;
}

/** Who does what on a GPU, by block, warp and lane, and how well lanes share memory (docs/sources.toml V15). */
export function GpuWorkers({ result, trace }: Props) {
  const [wished, setWished] = useState<string | null>(null);
  const works = trace.launches.flatMap((work) => {
    const launch = result.launches[work.launch];
    return launch === undefined ? [] : [{ work, launch, total: laneLoad(work).total }];
  });
  const [busiest] = [...works].sort((one, other) => other.total - one.total);
  const chosen = works.find(({ launch }) => launch.name === wished) ?? busiest;
  return (
    <>
      <Launches result={result} />
      {works.length > 1 && (
        <div className="space-views" role="group" aria-label="Launch">
          {works.map(({ launch, total }) => (
            <button
              key={launch.name}
              type="button"
              aria-pressed={launch === chosen?.launch}
              onClick={() => setWished(launch.name)}
            >
              {launch.name}: {counted(total, 'point')}
            </button>
          ))}
        </div>
      )}
      {chosen && <LaunchWork result={result} trace={trace} work={chosen.work} launch={chosen.launch} />}
    </>
  );
}

interface LaunchProps extends Props {
  readonly work: LaunchWorkView;
  readonly launch: LaunchView;
}

function LaunchWork({ result, trace, work, launch }: LaunchProps) {
  const { playback } = useStore();
  const load = useMemo(() => laneLoad(work), [work]);
  const step = usePlayback((state) => state.trace?.steps[state.index] ?? null);
  const current = step === null ? null : threadOf(launch, work.warp_size, step.worker);
  const seek = (place: ThreadPlace): void => {
    const first = trace.steps.findIndex(({ visit, worker }) => {
      const thread = visit === null ? null : threadOf(launch, work.warp_size, worker);
      return thread?.block === place.block && thread.thread === place.thread;
    });
    if (first !== -1) playback.seek(first);
  };
  return (
    <>
      <p
        className="space-summary"
        role="status"
        data-total={load.total}
        data-idle={load.idle.toFixed(4)}
        data-divergence={load.divergence.toFixed(4)}
      >
        <Explained>
          {load.busy} of {counted(load.lanes, 'lane')} {load.busy === 1 ? 'computes' : 'compute'}{' '}
          {counted(load.total, 'point')}: at most {load.max}, mean {load.mean.toFixed(2)}. Idle share 1 − mean / max ={' '}
          {(100 * load.idle).toFixed(1)} %. Divergence: in warps with work, {(100 * load.divergence).toFixed(1)} % of
          the lanes’ turns are spent waiting for the busiest lane.
        </Explained>
      </p>
      <LaneMap launch={launch} load={load} warpSize={work.warp_size} current={current} onSeek={seek} />
      <Ramp most={load.max} unit="point" empty="idle lane" />
      <p className="caption muted">
        <Explained>
          A model: the interpreter counts what each lane computes; the lanes of a warp are assumed to run in lockstep.
          Code that all threads of a block run identically is counted once, for the first thread.
        </Explained>
      </p>
      <MemoryTable result={result} work={work} />
      <LaneTable load={load} warpSize={work.warp_size} />
    </>
  );
}
