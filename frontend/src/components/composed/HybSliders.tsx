import { useId } from 'react';
import { useStore } from '../../state/store';
import { hybOf, withNumberAt } from '../../viz/composition/format-text';
import type { TextNumber } from '../../viz/composition/format-text';
import './hyb-sliders.css';

interface Props {
  readonly tensor: string;
  /** The format as it is written. */
  readonly text: string;
}

/** The numbers of `hyb(c,k)` as sliders: each writes the text, so that undo, links and the picture follow. */
export function HybSliders({ tensor, text }: Props) {
  const store = useStore();
  const hyb = hybOf(text);
  if (hyb === null) return null;
  const write = (number: TextNumber, value: number): void =>
    store.update({ kind: 'format', tensor, text: withNumberAt(text, number, value) });
  return (
    <div className="hyb-sliders" role="group" aria-label={`Numbers of ${text.trim()} for ${tensor}`}>
      {!hyb.whole && (
        <Powers label="c" said="ranges of columns" number={hyb.ranges} onChange={(value) => write(hyb.ranges, value)} />
      )}
      <Plain number={hyb.buckets} onChange={(value) => write(hyb.buckets, value)} />
      {hyb.rows !== null && (
        <Powers
          label="r"
          said="ranges of rows"
          number={hyb.rows}
          onChange={(value) => write(hyb.rows ?? hyb.ranges, value)}
        />
      )}
    </div>
  );
}

interface SliderProps {
  readonly number: TextNumber;
  readonly onChange: (value: number) => void;
}

/** Goes by powers of two: what lies between is written in the text. */
function Powers({ label, said, number, onChange }: SliderProps & { readonly label: string; readonly said: string }) {
  const id = useId();
  return (
    <span className="hyb-slider">
      <label htmlFor={id} data-tip={said}>
        {label} = {number.value}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={Math.log2(number.most)}
        step={1}
        value={Math.round(Math.log2(Math.max(1, number.value)))}
        aria-valuetext={`${number.value} ${said}`}
        onChange={(event) => onChange(2 ** Number(event.target.value))}
      />
    </span>
  );
}

function Plain({ number, onChange }: SliderProps) {
  const id = useId();
  return (
    <span className="hyb-slider">
      <label htmlFor={id} data-tip="The largest bucket has two to this power slots">
        k = {number.value}
      </label>
      <input
        id={id}
        type="range"
        min={number.least}
        max={number.most}
        value={number.value}
        aria-valuetext={`${number.value}: buckets of up to ${2 ** number.value} slots`}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </span>
  );
}
