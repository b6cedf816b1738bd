import { useId, useMemo, useState } from 'react';
import { toProblem } from '../../api/client';
import type { CompileView } from '../../api/types';
import { useCatalog } from '../../state/catalog';
import {
  densestBlock,
  EXAMPLE,
  INPUT,
  inputOf,
  inputTitle,
  mainOperand,
  offeredData,
  TASK,
  TILES,
} from '../../state/data/example-data';
import { useSelect, useStore } from '../../state/store';
import { useFollowedInput } from './use-followed-input';
import { usePlayback } from '../../state/use-playback';
import { tilesShow } from '../../viz/data/tile-needs';
import './data.css';

interface Props {
  readonly result: CompileView;
  /** Whether it stands alone: the picture beside it shows all of an input, or has the {@link DataHint} elsewhere. */
  readonly alone?: boolean;
}

/** The one choice of data that all pictures follow. */
export function DataPicker({ result, alone = false }: Props) {
  const { playback } = useStore();
  const id = useId();
  const draft = useSelect((state) => state.draft);
  const datasets = useCatalog((catalog) => catalog.datasets);
  const data = usePlayback((state) => state.data);
  const [said, setSaid] = useState<string | null>(null);
  const offered = useMemo(() => offeredData(result), [result]);
  const main = mainOperand(result);
  const input = main === undefined ? null : inputOf(draft, main);
  const fits = data.operands(result) !== null;
  useFollowedInput(result);

  const choose = (wanted: string): void => {
    setSaid(null);
    if (wanted !== INPUT) return playback.pick(offered.find((one) => one.id === wanted) ?? EXAMPLE);
    if (main === undefined || input === null) return;
    densestBlock(main, input, inputTitle(input, datasets)).then(
      (block) => (block === null ? setSaid('This input has no block that can be drawn.') : playback.pick(block)),
      (error: unknown) => setSaid(toProblem(error).title),
    );
  };
  return (
    <div className="data-picker">
      <label htmlFor={id}>Data</label>
      <select id={id} value={fits ? data.id : EXAMPLE.id} onChange={(event) => choose(event.target.value)}>
        {offered.map((one) => (
          <option key={one.id} value={one.id}>
            {one.title}
          </option>
        ))}
        {fits && data.id === TASK && <option value={TASK}>{data.title}</option>}
        {(input !== null || (fits && data.id === INPUT)) && (
          <option value={INPUT}>
            {data.id === INPUT || input === null ? data.title : inputTitle(input, datasets)}
          </option>
        )}
      </select>
      {said !== null && <span role="alert">{said}</span>}
      {!alone && <DataHint result={result} />}
    </div>
  );
}

/** What the numbers of a picture were counted on. */
export function CountedOn({ result }: { readonly result: CompileView }) {
  const data = usePlayback((state) => state.data);
  const { title } = data.operands(result) === null ? EXAMPLE : data;
  return <span className="muted caption">Counted on {title}.</span>;
}

/** Which part of an input is shown; and where the tiles of the schedule do not show, a way to data where they do. */
export function DataHint({ result }: { readonly result: CompileView }) {
  const { playback } = useStore();
  const data = usePlayback((state) => state.data);
  const trace = usePlayback((state) => state.trace);
  const ready = usePlayback((state) => state.phase === 'ready' && state.planHash === result.hash);
  const hidden = useMemo(() => ready && trace !== null && !tilesShow(result, trace), [ready, trace, result]);
  const tiles = useMemo(() => offeredData(result).find((one) => one.id === TILES), [result]);
  return (
    <>
      {data.part !== '' && data.operands(result) !== null && <span className="muted caption">{data.part}</span>}
      {hidden && tiles !== undefined && (
        <button
          type="button"
          className="link-button"
          data-tip="The tiles of the schedule are larger than this data"
          onClick={() => playback.pick(tiles)}
        >
          Show the tiles
        </button>
      )}
      {hidden && tiles === undefined && <span className="muted caption">The tiles are larger than this data.</span>}
    </>
  );
}
