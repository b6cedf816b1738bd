import type { ReactNode } from 'react';
import { useLinked, type LinkId } from '../../state/links';
import type { Space } from '../../api/types';

interface Properties {
  readonly link: LinkId;
  readonly name: string;
  readonly space: Space;
  readonly reduction: boolean;
  readonly strong: boolean;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly x: number;
  readonly y: number;
  /** What a screen reader says. */
  readonly description: string;
  readonly first: boolean;
  /** Marks and notes, which are not part of what is pointed at. */
  readonly children?: ReactNode;
}

/** An index variable, the same in all diagrams: coordinates are round, positions are rounded boxes. */
export default function NodeShape(properties: Properties) {
  const { link, name, space, reduction, strong, halfWidth, halfHeight, x, y, description, first, children } =
    properties;
  const linked = useLinked(link);
  const outline = {
    x: -halfWidth,
    y: -halfHeight,
    width: 2 * halfWidth,
    height: 2 * halfHeight,
    rx: space === 'position' ? 6 : halfHeight,
  };
  return (
    <g
      className={`node${reduction ? ' node-reduction' : ''}${strong ? ' node-strong' : ''}`}
      style={{ transform: `translate(${x}px, ${y}px)` }}
    >
      <g
        {...linked.props}
        className="node-button"
        role="button"
        aria-pressed={linked.pinned}
        aria-label={description}
        tabIndex={first ? 0 : -1}
        data-item=""
      >
        <rect className="node-base" {...outline} />
        <rect className="node-outline linkable" {...outline} />
        {reduction && <rect className="node-inner" {...inset(outline, 3.5)} />}
        <text className="node-name" y={1}>
          {name}
        </text>
      </g>
      {children}
    </g>
  );
}

function inset(box: { x: number; y: number; width: number; height: number; rx: number }, by: number) {
  return {
    x: box.x + by,
    y: box.y + by,
    width: box.width - 2 * by,
    height: box.height - 2 * by,
    rx: Math.max(2, box.rx - by),
  };
}
