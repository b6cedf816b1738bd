import { useId } from 'react';
import { stopsFor, withNumber } from '../../schedule/schedule-numbers';
import type { ScheduleNumber } from '../../schedule/schedule-numbers';
import { useStore } from '../../state/store';

interface Props {
  readonly numbers: readonly ScheduleNumber[];
  readonly number: ScheduleNumber;
  readonly onChoose: (place: number) => void;
}

/** A number of the plan's schedule: code, graphs and pictures follow while it is dragged. */
export function TileSlider({ numbers, number, onChoose }: Props) {
  const store = useStore();
  const id = useId();
  const stops = stopsFor(number.value);
  const drag = (place: number): void => {
    const next = stops[place];
    if (next === undefined) return;
    store.update({ kind: 'schedule', text: withNumber(store.get().draft.schedule, number, next) });
  };
  return (
    <>
      {numbers.length === 1 ? (
        <label htmlFor={`${id}-size`}>
          as <code>{number.command}</code>
        </label>
      ) : (
        <select
          aria-label="The command that cuts"
          value={numbers.indexOf(number)}
          onChange={(event) => onChoose(Number(event.target.value))}
        >
          {numbers.map(({ command, from }, place) => (
            <option key={from} value={place}>
              {command}
            </option>
          ))}
        </select>
      )}
      <span className="tile-slider">
        <input
          id={`${id}-size`}
          type="range"
          className="playback-slider"
          aria-label={`${number.value} in ${number.command}`}
          aria-valuetext={String(number.value)}
          min={0}
          max={stops.length - 1}
          value={stops.indexOf(number.value)}
          onChange={(event) => drag(Number(event.target.value))}
        />
        <span className="playback-count">{number.value}</span>
      </span>
    </>
  );
}
