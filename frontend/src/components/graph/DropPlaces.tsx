import { chainAround, dropPlaces } from '../../viz/iteration/reorder';
import type { GraphNodeView } from '../../api/types';
import type { PlacedLoop } from '../../viz/iteration/types';
import type { Reorder } from './reorder';

const HALF = 46;
const SIGNS = { yes: '✓', no: '✕', unknown: '' } as const;

interface Props {
  readonly reorder: Reorder;
  readonly nodes: readonly GraphNodeView[];
  readonly loops: readonly PlacedLoop[];
}

/** While a loop is dragged: where it may fall (✓) and where it may not (✕). */
export default function DropPlaces({ reorder, nodes, loops }: Props) {
  const { drag } = reorder;
  if (drag === null) return null;
  const chain = chainAround(nodes, drag.variable).flatMap((name) => loops.filter(({ variable }) => variable === name));
  return (
    <g className="drop-places" aria-hidden="true">
      {dropPlaces(chain, drag.variable).map(({ place, x, y }) => {
        const legal = reorder.legalAt(drag.variable, place);
        const verdict = legal === null ? 'unknown' : legal ? 'yes' : 'no';
        return (
          <g
            key={place}
            className={`drop-place drop-${verdict}${place === drag.place ? ' drop-here' : ''}`}
            transform={`translate(${x} ${y})`}
          >
            <path d={`M${-HALF} 0H${HALF}`} />
            <text x={-HALF - 9} y={0.5}>
              {SIGNS[verdict]}
            </text>
          </g>
        );
      })}
    </g>
  );
}
