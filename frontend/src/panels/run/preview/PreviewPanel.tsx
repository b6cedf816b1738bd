import { useEffect, useState } from 'react';
import { getPreview, isAbort, toProblem } from '../../../api/client';
import type { PreviewRequest, PreviewView, TensorView } from '../../../api/types';
import type { InputSpec } from '../../../plan/plan';
import { factsOf } from '../../../viz/preview';
import { DegreeHistogram } from './DegreeHistogram';
import { SpyPlot } from './SpyPlot';
import './preview.css';

interface Props {
  readonly tensor: TensorView;
  readonly input: InputSpec;
}

/** What the data of an operand look like: where the nonzeros lie, how many each row has, and the same in words. */
export default function PreviewPanel({ tensor, input }: Props) {
  const [found, setFound] = useState<PreviewView | string | null>(null);
  const { name, order } = tensor;
  const asked = JSON.stringify({ tensor: name, order, input });
  useEffect(() => {
    const controller = new AbortController();
    getPreview(JSON.parse(asked) as PreviewRequest, controller.signal).then(setFound, (error: unknown) => {
      if (!isAbort(error)) setFound(toProblem(error).detail);
    });
    return () => controller.abort();
  }, [asked]);
  return (
    <section className="preview" aria-label={`Preview of ${name}`}>
      {found === null ? (
        <p className="caption muted">Reading the data…</p>
      ) : typeof found === 'string' || !found.ok ? (
        <p role="alert">
          {typeof found === 'string' ? found : found.diagnostics.map(({ message }) => message).join(' ')}
        </p>
      ) : (
        <Pictures preview={found} name={name} />
      )}
    </section>
  );
}

function Pictures({ preview, name }: { readonly preview: PreviewView; readonly name: string }) {
  const [dimension, setDimension] = useState(0);
  const order = preview.shape.length;
  const degrees = preview.degrees[dimension];
  return (
    <>
      <div className="preview-pictures">
        {preview.raster !== null && <SpyPlot raster={preview.raster} shape={preview.shape} name={name} />}
        {degrees !== undefined && (
          <DegreeHistogram degrees={degrees} order={order} count={preview.degrees.length} onChoose={setDimension} />
        )}
      </div>
      <ul className="preview-facts caption">
        {factsOf(preview).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </>
  );
}
