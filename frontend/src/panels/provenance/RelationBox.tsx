import type { RelationView } from '../../api/types';
import { linkId, useLinked, type LinkId } from '../../state/links';
import { COMMAND_RADIUS, type PlacedRelation } from '../../viz/provenance/layout';

interface Properties {
  readonly relation: PlacedRelation;
  readonly view: RelationView | undefined;
}

/** A relation between variables, with the number of the schedule command that made it. */
export default function RelationBox({ relation, view }: Properties) {
  const { kind, command, halfWidth, halfHeight } = relation;
  const ids: LinkId[] = command === null ? [] : [linkId.command(command)];
  const linked = useLinked(ids);
  const number = command === null ? '' : `${command + 1} `;
  const label = `${number}${kind}: ${view?.parents.join(', ') ?? ''} to ${view?.children.join(', ') ?? ''}`;
  const box = { x: -halfWidth, y: -halfHeight, width: 2 * halfWidth, height: 2 * halfHeight, rx: 4 };
  const textX = command === null ? 0 : COMMAND_RADIUS + 1;
  return (
    <g data-subject={`relation ${relation.index}`}>
      <g
        {...linked.props}
        className="relation"
        style={{ transform: `translate(${relation.x}px, ${relation.y}px)` }}
        role="button"
        aria-pressed={linked.pinned}
        aria-label={label}
        tabIndex={-1}
        data-item=""
      >
        <rect className="relation-box" {...box} />
        <rect className="linkable relation-lit" {...box} />
        {command !== null && (
          <g className="relation-command" transform={`translate(${-halfWidth + COMMAND_RADIUS + 3} 0)`}>
            <circle r={COMMAND_RADIUS - 1} />
            <text y={0.5}>{command + 1}</text>
          </g>
        )}
        {/* The text of the whole reads "1 split", as its label does. */ ' '}
        <text className="relation-kind" x={textX} y={0.5}>
          {kind}
        </text>
      </g>
    </g>
  );
}
