import { useMemo, useState } from 'react';
import type { CompileView } from '../../api/types';
import { DiagnosticList } from '../../components/DiagnosticList';
import { usePlayback } from '../../state/use-playback';
import { gridOf, gridTensors } from '../../viz/space/grid';
import { PlaybackBar } from '../playback/PlaybackBar';
import { DataPicker } from './DataPicker';
import { OrderView } from './OrderView';
import '../graph/graph.css'; // the colour and dash pattern of each depth
import './space.css';

/** The iteration space: the order of visiting, cuts into tiles, who does what, and who writes where. */
export default function SpacePanel({ result }: { readonly result: CompileView }) {
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
    <section className="space-panel" aria-label="Iteration space" data-phase={phase}>
      <PlaybackBar />
      <DataPicker result={result} tensors={tensors} tensor={tensor} onTensor={setWished} />
      {phase === 'failed' && <p className="panel-message">The run could not be traced: {problem?.title}</p>}
      {trace !== null && trace.diagnostics.length > 0 && (
        <DiagnosticList label="What the run says" diagnostics={trace.diagnostics} />
      )}
      {trace !== null && grid !== null && trace.steps.length > 0 && (
        <OrderView result={result} trace={trace} grid={grid} />
      )}
      {trace === null && phase !== 'failed' && <p className="panel-message muted">Running on small data…</p>}
    </section>
  );
}
