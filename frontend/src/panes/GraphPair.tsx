import { useCallback, useRef, useState } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import type { CompileView } from '../api/types';
import { NaturalSizeContext } from '../components/diagram/natural-size';
import { useSizeOf } from '../components/use-size-of';
import { derives, NOTHING_DERIVED } from '../panels/provenance/derived';
import { arrange, EVEN } from '../viz/pair';
import type { Size } from '../viz/pair';
import { Explained } from '../components/Term';

/** Px of the rows around the drawings: buttons and text; at the provenance graph the formulas too. */
const AROUND = { iteration: 48, provenance: 92 };

interface Props {
  readonly result: CompileView;
  /** The iteration graph and the provenance graph. */
  readonly panels: readonly ReactNode[];
}

/** The two graphs, which are read together; the first has all the room where nothing is derived. */
export function GraphPair({ result, panels: [iteration, provenance] }: Props) {
  const pane = useRef<HTMLDivElement>(null);
  const room = useSizeOf(pane);
  const [first, tellFirst] = useSize();
  const [second, tellSecond] = useSize();
  const both = derives(result);
  const { direction, share } =
    room === null || first === null || second === null
      ? EVEN
      : arrange(room, { ...first, around: AROUND.iteration }, { ...second, around: AROUND.provenance });
  return (
    <div
      ref={pane}
      className={both ? 'graphs graphs-both' : 'graphs graphs-alone'}
      data-direction={direction}
      style={{ '--first': `${share}fr`, '--second': `${1 - share}fr` } as CSSProperties}
    >
      <NaturalSizeContext value={tellFirst}>{iteration}</NaturalSizeContext>
      {both ? (
        <NaturalSizeContext value={tellSecond}>{provenance}</NaturalSizeContext>
      ) : (
        <p className="caption muted graphs-quiet">
          <Explained>{NOTHING_DERIVED}</Explained>
        </p>
      )}
    </div>
  );
}

/** A size that changes only when it is another one. */
function useSize(): [Size | null, (size: Size) => void] {
  const [size, setSize] = useState<Size | null>(null);
  const tell = useCallback(
    (next: Size) => setSize((last) => (last?.width === next.width && last.height === next.height ? last : next)),
    [],
  );
  return [size, tell];
}
