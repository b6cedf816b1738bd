import type { CompileView } from '../../api/types';
import { TensorAxes } from '../../components/axes/TensorAxes';
import { DataPicker } from '../../components/data/DataPicker';

/** The levels of all tensors as axes, in Heddle's words and in those of SparseTIR. */
export default function AxesPanel({ result }: { readonly result: CompileView }) {
  const tensors = result.tensors.filter(({ order }) => order > 0);
  return (
    <section className="axes-panel" aria-label="Axes">
      <div>
        <DataPicker result={result} alone />
      </div>
      <p className="caption muted">
        Dense axes have every coordinate; sparse ones list theirs in indices. On fixed axes every parent has equally
        many children, on variable ones indptr says how many.
      </p>
      {tensors.map((tensor) => (
        <TensorAxes key={tensor.name} tensor={tensor} />
      ))}
    </section>
  );
}
