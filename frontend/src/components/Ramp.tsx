import { viridis } from '../viz/space/viridis';

interface Props {
  readonly most: number;
  /** What is counted, in the singular. */
  readonly unit: string;
  /** What a cell without colour stands for. */
  readonly empty?: string;
}

const STEPS = [0.1, 0.3, 0.5, 0.7, 0.9, 1];

/** The legend of a map in viridis: from one to the most; the one colour where all cells have one. */
export function Ramp({ most, unit, empty }: Props) {
  return (
    <p className="space-ramp caption muted">
      {most > 1 && <span>1</span>}
      {(most > 1 ? STEPS : [1]).map((share) => (
        <span key={share} className="space-ramp-step" style={{ background: viridis(share) }} aria-hidden="true" />
      ))}
      <span>
        {most} {most === 1 ? unit : `${unit}s`}
        {empty === undefined ? '' : `; without colour: ${empty}`}
      </span>
    </p>
  );
}
