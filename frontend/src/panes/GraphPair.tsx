import { useCallback, useMemo, useRef, useState } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import type { CompileView } from '../api/types';
import { SharedRoomContext } from '../components/diagram/shared-room';
import { Explained } from '../components/Term';
import { useSizeOf } from '../components/use-size-of';
import { derives, NOTHING_DERIVED } from '../panels/provenance/derived';
import { useLayout } from '../state/media';
import { useSelect } from '../state/store';
import { arrange, EVEN } from '../viz/pair';
import type { Size } from '../viz/fitting';
import type { AtLeastOne } from '../viz/spacing';

/** Px of the rows around the drawings: buttons and text; at the provenance graph in a high pane the formulas too. */
const AROUND = { buttons: 28, text: 23, formulas: 44 };
/** As provenance.css has it: in a lower panel the formulas come over the drawing. */
const HIGH = 440;

const GRAPHS = [
  { id: 'iteration', title: 'Iteration' },
  { id: 'provenance', title: 'Provenance' },
] as const;
type Graph = (typeof GRAPHS)[number]['id'];

interface Props {
  readonly result: CompileView;
  /** The iteration graph and the provenance graph. */
  readonly panels: readonly ReactNode[];
}

/**
 * The two graphs, which are read together; the first has all the room where nothing is derived. Where they cannot both
 * be read whole, one stands there at a time.
 */
export function GraphPair({ result, panels: [iteration, provenance] }: Props) {
  const pane = useRef<HTMLDivElement>(null);
  const room = useSizeOf(pane);
  const presenting = useSelect((state) => state.view.present);
  // On a phone both stand below each other, and the page scrolls.
  const scrolls = useLayout() === 'narrow' && !presenting;
  const [first, tellFirst] = useDrawings();
  const [second, tellSecond] = useDrawings();
  const [chosen, setChosen] = useState<Graph>('iteration');
  const derived = derives(result);
  const arranged = scrolls || (room !== null && first !== null && second !== null);
  const { direction, share, both } =
    scrolls || room === null || first === null || second === null
      ? EVEN
      : arrange(
          room,
          { drawings: first, around: AROUND.buttons + AROUND.text },
          {
            drawings: second,
            around: AROUND.buttons + AROUND.text + (room.height < HIGH ? 0 : AROUND.formulas),
          },
        );
  const single = derived && !both;
  const choice = useMemo(() => (single ? <Choice chosen={chosen} onChoose={setChosen} /> : null), [single, chosen]);
  const rooms = useMemo(
    () => ({ iteration: { tell: tellFirst, choice }, provenance: { tell: tellSecond, choice } }),
    [tellFirst, tellSecond, choice],
  );
  return (
    <div
      ref={pane}
      className={derived && !single ? 'graphs graphs-both' : 'graphs graphs-alone'}
      data-direction={direction}
      data-arranged={arranged}
      style={{ '--first': `${share}fr`, '--second': `${1 - share}fr` } as CSSProperties}
    >
      <div className="graph-place" hidden={single && chosen !== 'iteration'}>
        <SharedRoomContext value={rooms.iteration}>{iteration}</SharedRoomContext>
      </div>
      {derived ? (
        <div className="graph-place" hidden={single && chosen !== 'provenance'}>
          <SharedRoomContext value={rooms.provenance}>{provenance}</SharedRoomContext>
        </div>
      ) : (
        <p className="caption muted graphs-quiet">
          <Explained>{NOTHING_DERIVED}</Explained>
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly chosen: Graph;
  readonly onChoose: (graph: Graph) => void;
}

/** Which of the graphs is shown, where there is no room for both. */
function Choice({ chosen, onChoose }: ChoiceProps) {
  return (
    <span className="segments" role="group" aria-label="Which graph">
      {GRAPHS.map(({ id, title }) => (
        <button key={id} type="button" aria-pressed={chosen === id} onClick={() => onChoose(id)}>
          {title}
        </button>
      ))}
    </span>
  );
}

/** Sizes of the drawings of a graph, which change only when they are other ones. */
function useDrawings(): [AtLeastOne<Size> | null, (drawings: AtLeastOne<Size>) => void] {
  const [drawings, setDrawings] = useState<AtLeastOne<Size> | null>(null);
  const tell = useCallback((next: AtLeastOne<Size>) => {
    setDrawings((last) => (last !== null && sizesOf(last) === sizesOf(next) ? last : next));
  }, []);
  return [drawings, tell];
}

const sizesOf = (drawings: AtLeastOne<Size>): string =>
  drawings.map(({ width, height }) => `${width} ${height}`).join(', ');
