import { linkId, useLinked } from '../../state/links';
import { STATEMENT_SIZE } from '../../viz/iteration/measure';
import type { PlacedStatement, StatementPart } from '../../viz/iteration/types';
import { codeWidth } from '../../viz/text-width';
import { pathClass } from './path-class';

/** What runs in the innermost loop; every access has the colour of its path, every index variable is linked. */
export default function Statement({ statement }: { readonly statement: PlacedStatement }) {
  return (
    <g className="statement">
      <rect x={statement.x} y={statement.y} width={statement.width} height={statement.height} rx={6} />
      {statement.parts.map((part) =>
        part.access === null ? (
          <text
            key={part.start}
            className="statement-text"
            xmlSpace="preserve"
            x={part.x}
            y={part.y}
            {...exactly(part)}
          >
            {part.text}
          </text>
        ) : (
          <AccessText key={part.start} part={part} {...part.access} y={part.y} />
        ),
      )}
    </g>
  );
}

/** As wide as the layout says: a bold face or another font would run into what comes next. */
const exactly = ({ width }: StatementPart) => ({ textLength: width, lengthAdjust: 'spacing' }) as const;

function AccessText({ part, colour, tensor, y }: { part: StatementPart; colour: number; tensor: string; y: number }) {
  const { props } = useLinked(linkId.tensor(tensor));
  const indices = [...part.text.slice(tensor.length).matchAll(/[A-Za-z_]\w*/g)].map((match) => ({
    name: match[0],
    x: part.x + codeWidth(part.text.slice(0, tensor.length + match.index), STATEMENT_SIZE),
  }));
  return (
    <g className={`statement-access ${pathClass(colour)}`}>
      <g
        data-link={props['data-link']}
        data-linked={props['data-linked']}
        onPointerEnter={props.onPointerEnter}
        onPointerLeave={props.onPointerLeave}
        onClick={props.onClick}
      >
        <rect className="linkable statement-lit" x={part.x - 2} y={y - 10} width={part.width + 4} height={19} rx={4} />
        <text className="statement-text" x={part.x} y={y} {...exactly(part)}>
          {part.text}
        </text>
      </g>
      {indices.map((index) => (
        <IndexBox key={index.x} name={index.name} x={index.x} y={y} />
      ))}
    </g>
  );
}

/** Lies over an index variable inside an access. */
function IndexBox({ name, x, y }: { readonly name: string; readonly x: number; readonly y: number }) {
  const { props } = useLinked(linkId.variable(name));
  return (
    <g
      data-link={props['data-link']}
      data-linked={props['data-linked']}
      onPointerEnter={props.onPointerEnter}
      onPointerLeave={props.onPointerLeave}
      onClick={props.onClick}
    >
      <rect
        className="linkable statement-lit"
        x={x - 1}
        y={y - 9}
        width={codeWidth(name, STATEMENT_SIZE) + 2}
        height={17}
        rx={3}
      />
    </g>
  );
}
