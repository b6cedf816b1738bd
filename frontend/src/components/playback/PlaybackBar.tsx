import { useId } from 'react';
import { SPEEDS } from '../../state/playback';
import { useSteps } from '../../state/presenting';
import { usePlayback, useTraceWanted } from '../../state/use-playback';
import './playback.css';

/** Moves the one current step that all panels follow. */
export function PlaybackBar() {
  const playback = useTraceWanted();
  const id = useId();
  const trace = usePlayback((state) => state.trace);
  const index = usePlayback((state) => state.index);
  const playing = usePlayback((state) => state.playing);
  const speed = usePlayback((state) => state.speed);
  const unit = usePlayback((state) => state.unit);
  const last = (trace?.steps.length ?? 0) - 1;
  const none = last < 0;
  useSteps(playback.step);
  const jump = (to: number): void => {
    playback.pause();
    playback.seek(to);
  };
  return (
    <div className="playback" role="group" aria-label="Playback">
      <div className="playback-buttons">
        <Key label="To the start" sign="start" disabled={none || index === 0} onPress={() => jump(0)} />
        <Key label="Step back" sign="back" disabled={none || index === 0} onPress={() => playback.step(-1)} />
        <Key
          label={playing ? 'Pause' : 'Play'}
          sign={playing ? 'pause' : 'play'}
          disabled={none}
          onPress={() => (playing ? playback.pause() : playback.play())}
        />
        <Key label="Step" sign="step" disabled={none || index === last} onPress={() => playback.step(1)} />
        <Key label="To the end" sign="end" disabled={none || index === last} onPress={() => jump(last)} />
      </div>
      <input
        type="range"
        className="playback-slider"
        aria-label="Step of the run"
        aria-valuetext={none ? 'no run' : `step ${index + 1} of ${last + 1}`}
        min={0}
        max={Math.max(last, 0)}
        value={index}
        disabled={none}
        onChange={(event) => jump(Number(event.target.value))}
      />
      <span className="playback-count">{none ? '–' : `${index + 1} / ${last + 1}`}</span>
      <label htmlFor={`${id}-unit`} className="visually-hidden">
        Step by
      </label>
      <select
        id={`${id}-unit`}
        value={unit}
        onChange={(event) => playback.setUnit(event.target.value === 'visit' ? 'visit' : 'statement')}
      >
        <option value="visit">each point</option>
        <option value="statement">each statement</option>
      </select>
      <label htmlFor={`${id}-speed`} className="visually-hidden">
        Speed
      </label>
      <select id={`${id}-speed`} value={speed} onChange={(event) => playback.setSpeed(Number(event.target.value))}>
        {SPEEDS.map((one) => (
          <option key={one} value={one}>
            {one} / s
          </option>
        ))}
      </select>
    </div>
  );
}

/** Paths in a square of 16. */
const SIGNS = {
  start: 'M3 3h2v10H3zM13 3v10L6 8z',
  back: 'M11 3v10L4 8z',
  play: 'M4 2.5v11L13 8z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  step: 'M5 3v10L12 8z',
  end: 'M11 3h2v10h-2zM3 3v10l7-5z',
} as const;

interface KeyProperties {
  readonly label: string;
  readonly sign: keyof typeof SIGNS;
  readonly disabled: boolean;
  readonly onPress: () => void;
}

function Key({ label, sign, disabled, onPress }: KeyProperties) {
  return (
    <button
      type="button"
      className="playback-key"
      aria-label={label}
      data-tip={label}
      disabled={disabled}
      onClick={onPress}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={SIGNS[sign]} />
      </svg>
    </button>
  );
}
