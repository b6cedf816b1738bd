import { useMemo, useRef, useState } from 'react';
import type { CompileView } from '../../api/types';
import { DiagnosticList } from '../../components/DiagnosticList';
import { useSelect, useStore } from '../../state/store';
import { usePlayback } from '../../state/use-playback';
import type { SpaceView } from '../../state/view-state';
import { aloneRoom } from '../../viz/space/frame';
import { gridOf, gridTensors } from '../../viz/space/grid';
import { GpuWorkers } from './gpu/GpuWorkers';
import { useSizeOf } from '../../components/use-size-of';
import { CountedOn, DataHint, DataPicker } from '../../components/data/DataPicker';
import { PlaybackBar } from '../../components/playback/PlaybackBar';
import { BeforeAfter } from './BeforeAfter';
import { CutsView } from './CutsView';
import { GridRoomContext } from './grid-room';
import { OrderView } from './OrderView';
import { StepLine } from './StepLine';
import { TensorPicker } from './TensorPicker';
import { WorkersView } from './WorkersView';
import { WritesView } from './WritesView';
import '../../components/graph/graph.css'; // the colour and dash pattern of each depth
import './space.css';
import './tiles.css';

const VIEWS: readonly { readonly id: SpaceView; readonly title: string }[] = [
  { id: 'order', title: 'Order' },
  { id: 'compare', title: 'Before / after' },
  { id: 'cuts', title: 'Cuts' },
  { id: 'workers', title: 'Workers' },
  { id: 'writes', title: 'Writes' },
];

/** The iteration space: the order of visiting, cuts into tiles, who does what, and who writes where. */
export default function SpacePanel({ result }: { readonly result: CompileView }) {
  const store = useStore();
  const panel = useRef<HTMLElement>(null);
  const size = useSizeOf(panel);
  const view = useSelect((state) => state.view.space);
  const trace = usePlayback((state) => state.trace);
  const phase = usePlayback((state) => state.phase);
  const problem = usePlayback((state) => state.problem);
  const tensors = useMemo(() => (trace === null ? [] : gridTensors(result, trace)), [result, trace]);
  const [wished, setWished] = useState<string | null>(null);
  const tensor = tensors.find((name) => name === wished) ?? tensors[0] ?? null;
  const grid = useMemo(
    () => (trace === null || tensor === null ? null : gridOf(result, trace, tensor)),
    [result, trace, tensor],
  );
  return (
    <section ref={panel} className="space-panel" aria-label="Iteration space" data-phase={phase} data-view={view}>
      <div className="space-head">
        <div className="space-controls">
          <div className="space-views" role="group" aria-label="What to show">
            {VIEWS.map(({ id, title }) => (
              <button key={id} type="button" aria-pressed={view === id} onClick={() => store.look({ space: id })}>
                {title}
              </button>
            ))}
          </div>
          <DataPicker result={result} alone />
          {tensors.length > 1 && <TensorPicker tensors={tensors} tensor={tensor} onTensor={setWished} />}
        </div>
        <PlaybackBar />
        {(view === 'order' || view === 'compare') && trace !== null && <StepLine trace={trace} grid={grid} />}
        <div className="space-hint">
          {(view === 'workers' || view === 'writes') && <CountedOn result={result} />}
          <DataHint result={result} />
        </div>
      </div>
      {phase === 'failed' && <p className="panel-message">The run could not be traced: {problem?.title}</p>}
      {trace !== null && trace.diagnostics.length > 0 && (
        <DiagnosticList label="What the run says" diagnostics={trace.diagnostics} />
      )}
      {trace !== null && grid !== null && trace.steps.length > 0 && (
        <GridRoomContext value={size === null ? undefined : aloneRoom(size.width)}>
          {view === 'order' && <OrderView result={result} trace={trace} grid={grid} />}
          {view === 'compare' && <BeforeAfter result={result} trace={trace} grid={grid} />}
          {view === 'cuts' && <CutsView result={result} grid={grid} />}
          {view === 'workers' &&
            (result.launches.length > 0 ? (
              <GpuWorkers result={result} trace={trace} />
            ) : (
              <WorkersView result={result} trace={trace} />
            ))}
          {view === 'writes' && <WritesView result={result} trace={trace} />}
        </GridRoomContext>
      )}
      {trace === null && phase !== 'failed' && <p className="panel-message muted">Running on small data…</p>}
    </section>
  );
}
