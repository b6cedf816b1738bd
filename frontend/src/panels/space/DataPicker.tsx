import { useId } from 'react';
import type { CompileView, Operands } from '../../api/types';
import { usePlayback } from '../../state/use-playback';
import { useStore } from '../../state/store';
import { powerLawMatrix, scatteredMatrix, sparseCube } from '../../viz/space/samples';

interface Props {
  readonly result: CompileView;
  /** The tensors that can be drawn, and the one that is. */
  readonly tensors: readonly string[];
  readonly tensor: string | null;
  readonly onTensor: (tensor: string) => void;
}

interface Sample {
  readonly title: string;
  readonly order: number;
  readonly make: () => readonly unknown[];
}

/** What may be run on besides the running example. */
const SAMPLES: readonly Sample[] = [
  { title: '30 × 30, power law', order: 2, make: () => powerLawMatrix(30, 30) },
  { title: '64 × 64, scattered', order: 2, make: () => scatteredMatrix(64, 6) },
  { title: '8 × 8 × 8, 40 nonzeros', order: 3, make: () => sparseCube(8, 40) },
];

const MADE = 'small example';

/** Which tensor is drawn, and which small data the kernel runs on. */
export function DataPicker({ result, tensors, tensor, onTensor }: Props) {
  const { playback } = useStore();
  const id = useId();
  const source = usePlayback((state) => state.source);
  const order = result.tensors.find(({ name }) => name === tensor)?.order ?? 0;
  const offered = SAMPLES.filter((sample) => sample.order === order);
  const choose = (title: string): void => {
    const sample = offered.find((one) => one.title === title);
    if (title === source) return;
    if (tensor === null || sample === undefined) return playback.setOperands({});
    const operands: Operands = { [tensor]: sample.make() };
    playback.setOperands(operands, sample.title);
  };
  return (
    <div className="space-data">
      <label htmlFor={`${id}-tensor`}>Grid of</label>
      <select id={`${id}-tensor`} value={tensor ?? ''} onChange={(event) => onTensor(event.target.value)}>
        {tensors.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-data`}>with</label>
      <select id={`${id}-data`} value={source === '' ? MADE : source} onChange={(event) => choose(event.target.value)}>
        <option value={MADE}>{MADE}</option>
        {source !== '' && !offered.some(({ title }) => title === source) && <option value={source}>{source}</option>}
        {offered.map(({ title }) => (
          <option key={title} value={title}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}
