import { useMemo, useState } from 'react';
import type { LatticeView } from '../../api/types';
import { linkId, links } from '../../state/links';
import { layoutHasse, type HasseNode } from '../../viz/lattice/hasse';
import DiagramCanvas from '../../components/diagram/DiagramCanvas';

interface Properties {
  readonly lattice: LatticeView;
  /** The point whose loop runs now. */
  readonly loop: string | null;
  /** The point whose branch was taken. */
  readonly active: string | null;
}

/** Sets of operands, larger ones above. Points have a frame and what they compute; sets without a point are dashed. */
export default function HasseDiagram({ lattice, loop, active }: Properties) {
  const drawings = useMemo(() => [layoutHasse(lattice)] as const, [lattice]);
  const [layout] = drawings;
  const [reason, setReason] = useState<string | null>(null);
  return (
    <div className="lattice-hasse">
      <DiagramCanvas label={`Merge lattice of ${lattice.variable}`} drawings={drawings} fileName="merge-lattice.svg">
        {() => (
          <>
            {layout.edges.map(({ from, to }) => (
              <line
                key={`${from.key} > ${to.key}`}
                className={from.loop === null || to.loop === null ? 'hasse-edge hasse-edge-dead' : 'hasse-edge'}
                x1={from.x}
                y1={from.y + from.height / 2}
                x2={to.x}
                y2={to.y - to.height / 2}
              />
            ))}
            {layout.nodes.map((node, index) => (
              <Node
                key={node.key}
                node={node}
                lattice={lattice}
                first={index === 0}
                loop={node.key === loop && node.loop !== null}
                active={node.key === active && node.loop !== null}
                onRegard={setReason}
              />
            ))}
          </>
        )}
      </DiagramCanvas>
      <p className="lattice-reason" aria-live="polite">
        {reason ??
          'Framed sets are points: one loop each, in the order of their numbers. Point at a dashed set to see why it needs none.'}
      </p>
    </div>
  );
}

interface NodeProperties {
  readonly node: HasseNode;
  readonly lattice: LatticeView;
  readonly first: boolean;
  readonly loop: boolean;
  readonly active: boolean;
  readonly onRegard: (text: string) => void;
}

function Node({ node, lattice, first, loop, active, onRegard }: NodeProperties) {
  const tensors = lattice.operands.filter(({ access }) => node.iterators.includes(access));
  const ids = tensors.map(({ tensor, level }) => linkId.level(tensor, level));
  const regard = (): void => {
    links.point(ids);
    onRegard(text);
  };
  const text =
    node.loop === null
      ? `${node.label} has no point (${node.rule ?? ''}). ${node.reason ?? ''}`
      : `${node.label}: loop ${node.loop}, computes ${node.expression ?? ''}`;
  const state = [loop ? 'its loop runs' : '', active ? 'its case was taken' : ''].filter(Boolean).join(', ');
  return (
    <g
      className={[
        'hasse-node',
        node.loop === null ? 'hasse-dead' : '',
        loop ? 'hasse-loop' : '',
        active ? 'hasse-active' : '',
      ]
        .filter(Boolean)
        .join(' ')}
      transform={`translate(${node.x} ${node.y})`}
      role="img"
      aria-label={state ? `${text}; ${state}` : text}
      tabIndex={first ? 0 : -1}
      data-item=""
      data-point={node.key}
      data-active={active || undefined}
      data-loop={loop || undefined}
      onPointerEnter={regard}
      onPointerLeave={() => links.point([])}
      onFocus={regard}
      onBlur={() => links.point([])}
    >
      <rect x={-node.width / 2} y={-node.height / 2} width={node.width} height={node.height} rx={6} />
      <text className="hasse-set" y={-8}>
        {node.label}
      </text>
      <text className="hasse-expression" y={9}>
        {node.expression ?? (node.rule === 'density' ? 'never happens' : 'no case')}
      </text>
      {node.loop !== null && (
        <g transform={`translate(${-node.width / 2} ${-node.height / 2})`}>
          <circle className="hasse-number" r={9} />
          <text className="hasse-order" y={0.5}>
            {node.loop}
          </text>
        </g>
      )}
      {active && (
        <text className="hasse-mark" x={node.width / 2 + 10}>
          ◀
        </text>
      )}
    </g>
  );
}
