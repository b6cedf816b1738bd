import { useState } from 'react';
import type { CodeView, CompileView } from '../../api/types';
import { TensorAxes } from '../../components/axes/TensorAxes';
import CodeListing from '../../components/code/CodeListing';
import LeftOutLines from '../../components/code/LeftOutLines';
import { DataPicker } from '../../components/data/DataPicker';
import { useLayout } from '../../state/media';
import { useSelect, useStore } from '../../state/store';
import { Regions } from './Regions';
import './lowering.css';

/** The four steps of lowering; `roles` are those of the lines that a step makes. */
const STEPS = [
  { title: 'Arrays', text: 'Every axis gets its arrays: how many children each parent has, and their coordinates.' },
  { title: 'Loops', text: 'Every axis becomes a loop: over coordinates where it is dense, else over positions.' },
  {
    title: 'Positions',
    text: 'Where a loop runs over positions, the coordinate is read; other tensors are read there.',
  },
  { title: 'Regions', text: 'What is read and written, and where; then each place becomes an offset into its array.' },
] as const;

/** One program in three stages, over coordinates, positions and flat arrays; what is pointed at is lit in all three. */
export default function LoweringPanel({ result }: { readonly result: CompileView }) {
  const store = useStore();
  const narrow = useLayout() === 'narrow';
  const alone = useSelect((state) => state.view.maximised === 'code');
  const [step, setStep] = useState(0);
  const stage = (id: string): CodeView | null => result.stages.find((one) => one.id === id)?.code ?? null;
  const stages = [
    { id: 'coordinates', title: 'I Coordinates', code: result.coordinates },
    { id: 'structured', title: 'II Positions', code: stage('structured') },
    { id: 'flat', title: 'III Flat', code: stage('flat') },
  ];
  const sparse = result.tensors.filter(
    ({ order, result: written, levels }) => order > 0 && !written && levels.some(({ kind }) => kind !== 'dense'),
  );
  const chosen = STEPS[step] ?? STEPS[0];
  return (
    <section className="lowering" aria-label="Three stages" data-step={step + 1}>
      <div className="lowering-head">
        <div className="segments" role="group" aria-label="Steps of lowering">
          {STEPS.map(({ title }, index) => (
            <button key={title} type="button" aria-pressed={step === index} onClick={() => setStep(index)}>
              {index + 1} {title}
            </button>
          ))}
        </div>
        {!narrow && !alone && (
          <button type="button" className="link-button" onClick={() => store.look({ maximised: 'code' })}>
            Side by side
          </button>
        )}
      </div>
      <p className="caption" aria-live="polite">
        {chosen.text}
      </p>
      {(step === 0 || step === 2) && <DataPicker result={result} alone />}
      {step === 0 &&
        result.tensors.filter(({ order }) => order > 0).map((one) => <TensorAxes key={one.name} tensor={one} />)}
      {step === 2 && sparse.map((one) => <TensorAxes key={one.name} tensor={one} offsets />)}
      {step === 3 && <Regions regions={result.regions} />}
      <div className="lowering-stages">
        {stages.map(({ id, title, code }) => (
          <Stage key={title} id={id} title={title} code={code} />
        ))}
      </div>
    </section>
  );
}

interface StageProps {
  readonly id: string;
  readonly title: string;
  readonly code: CodeView | null;
}

function Stage({ id, title, code }: StageProps) {
  const [current, setCurrent] = useState<number | null>(null);
  return (
    <div className="lowering-stage">
      <h3>{title}</h3>
      {code === null ? (
        <p className="code-empty">It appears when the expression and the schedule compile.</p>
      ) : (
        <>
          <CodeListing code={code} label={title} current={current} onCurrent={setCurrent} />
          <LeftOutLines code={code} stage={id} leftOut={code.left_out} />
        </>
      )}
    </div>
  );
}
