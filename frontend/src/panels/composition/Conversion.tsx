import { useEffect, useState } from 'react';
import { useMedia } from '../../state/media';

interface Props {
  /** What is played, such as `Conversion`, and what the slider counts. */
  readonly name: string;
  readonly counts: string;
  readonly entries: number;
  readonly moved: number;
  readonly onMove: (moved: number) => void;
  /** What the last step did. */
  readonly said: string;
}

const EACH_MS = 700;

/** Plays how the entries go to where they are stored, one step for each. */
export function Conversion({ name, counts, entries, moved, onMove, said }: Props) {
  const still = useMedia('(prefers-reduced-motion: reduce)');
  const [playing, setPlaying] = useState(false);
  const running = playing && moved < entries;
  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => onMove(moved + 1), EACH_MS);
    return () => clearTimeout(timer);
  }, [running, moved, onMove]);
  const jump = (to: number): void => {
    setPlaying(false);
    onMove(Math.min(entries, Math.max(0, to)));
  };
  return (
    <div className="composition-conversion" role="group" aria-label={name}>
      <button
        type="button"
        className="button"
        onClick={() => {
          if (running) return setPlaying(false);
          if (moved >= entries) onMove(0);
          setPlaying(true);
        }}
      >
        {running ? 'Pause' : `Play the ${name.toLowerCase()}`}
      </button>
      <button type="button" className="button" disabled={moved === 0} onClick={() => jump(moved - 1)}>
        Step back
      </button>
      <button type="button" className="button" disabled={moved === entries} onClick={() => jump(moved + 1)}>
        Step
      </button>
      <input
        type="range"
        aria-label={counts}
        aria-valuetext={`${moved} of ${entries}`}
        min={0}
        max={entries}
        value={moved}
        onChange={(event) => jump(Number(event.target.value))}
      />
      <span className="composition-count">
        {still ? 'Frame ' : ''}
        {moved} / {entries}
      </span>
      <span className="caption" aria-live="polite">
        {moved > 0 && moved < entries ? said : ''}
      </span>
    </div>
  );
}
