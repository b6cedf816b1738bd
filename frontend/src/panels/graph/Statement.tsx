import { linkId, useLinked } from '../../state/links';
import type { PlacedStatement, StatementPart } from '../../viz/iteration/types';
import { pathClass } from './TensorPath';

/** What runs in the innermost loop; every access has the colour of its path. */
export default function Statement({ statement }: { readonly statement: PlacedStatement }) {
  const middle = statement.y + statement.height / 2 + 0.5;
  return (
    <g className="statement">
      <rect x={statement.x} y={statement.y} width={statement.width} height={statement.height} rx={6} />
      {statement.parts.map((part) =>
        part.path === null || part.tensor === null ? (
          <text key={part.x} className="statement-text" xmlSpace="preserve" x={part.x} y={middle}>
            {part.text}
          </text>
        ) : (
          <AccessText key={part.x} part={part} path={part.path} tensor={part.tensor} y={middle} />
        ),
      )}
    </g>
  );
}

function AccessText({ part, path, tensor, y }: { part: StatementPart; path: number; tensor: string; y: number }) {
  const { props } = useLinked(linkId.tensor(tensor));
  return (
    <g
      className={`statement-access ${pathClass(path)}`}
      data-link={props['data-link']}
      data-linked={props['data-linked']}
      onPointerEnter={props.onPointerEnter}
      onPointerLeave={props.onPointerLeave}
      onClick={props.onClick}
    >
      <rect className="linkable statement-lit" x={part.x - 2} y={y - 10} width={part.width + 4} height={19} rx={4} />
      <text className="statement-text" x={part.x} y={y}>
        {part.text}
      </text>
    </g>
  );
}
