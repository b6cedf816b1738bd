import { useMemo } from 'react';
import type { Tiling } from '../../viz/space/cuts';
import { hierarchyOf } from '../../viz/space/hierarchy';
import { counted } from '../../text/quantities';

interface Props {
  readonly coordinates: readonly (readonly number[])[];
  /** The dimension of each level. */
  readonly order: readonly number[];
  readonly variables: readonly string[];
  readonly extent: number | null;
  readonly tiling: Tiling;
}

/** Leaves that are drawn one by one; more become the strip alone. */
const LARGEST = 64;
const [SLOT, RISE, LEFT] = [26, 38, 38];

/** The same cut over the coordinate hierarchy and, below it, over the values in memory. */
export function CutTree({ coordinates, order, variables, extent, tiling }: Props) {
  const tree = useMemo(() => hierarchyOf(coordinates, order, extent), [coordinates, order, extent]);
  if (coordinates.length === 0) return null;
  if (tree.slots > LARGEST) return <Strip tiling={tiling} />;
  const width = LEFT + tree.slots * SLOT + 8;
  const strip = tree.levels * RISE + 6;
  const x = (slots: number): number => LEFT + slots * SLOT;
  const y = (level: number): number => (level - 1) * RISE + 14;
  const leaves = tree.nodes.filter(({ leaf }) => leaf !== null);
  const cutsAt = leaves.slice(1).flatMap((leaf, index) => {
    const before = leaves[index];
    if (before === undefined || tiling.tileOf[leaf.leaf ?? 0] === tiling.tileOf[before.leaf ?? 0]) return [];
    return [(before.x + leaf.x) / 2];
  });
  return (
    <figure className="space-tree">
      <figcaption>The same cut in the coordinate hierarchy and in the values in memory</figcaption>
      <div className="space-scroll" tabIndex={0} role="group" aria-label="Coordinate hierarchy with cuts">
        <svg
          width={width}
          height={strip + 34}
          role="img"
          aria-label={`${counted(leaves.length, 'value')} in ${counted(tiling.tiles.length, 'tile')}`}
        >
          {order.map((dimension, index) => (
            <text key={dimension} x={8} y={y(index + 1)} className="space-level" dominantBaseline="central">
              {variables[dimension]}
            </text>
          ))}
          <text x={4} y={strip + 16} className="space-strip-name">
            vals
          </text>
          {tree.nodes.map((node, index) => {
            const parent = node.parent === null ? null : tree.nodes[node.parent];
            return parent ? (
              <path
                key={index}
                className="space-branch"
                d={`M${x(parent.x)} ${y(parent.level) + 9}L${x(node.x)} ${y(node.level) - 9}`}
              />
            ) : null;
          })}
          {tree.nodes.map((node, index) => {
            const tile = node.leaf === null ? null : (tiling.tileOf[node.leaf] ?? 0);
            return (
              <g key={index} className={tile === null ? 'space-node' : `space-node space-tile lane-${tile % 8}`}>
                <circle cx={x(node.x)} cy={y(node.level)} r={10} />
                <text x={x(node.x)} y={y(node.level)} textAnchor="middle" dominantBaseline="central">
                  {node.coordinate}
                </text>
                {tile !== null && (
                  <>
                    <rect x={x(node.x) - SLOT / 2 + 1} y={strip} width={SLOT - 2} height={24} />
                    <text x={x(node.x)} y={strip + 12} textAnchor="middle" dominantBaseline="central">
                      {tile}
                    </text>
                  </>
                )}
              </g>
            );
          })}
          {cutsAt.map((at) => (
            <path key={at} className="space-cut" d={`M${x(at)} ${tree.levels * RISE - RISE - 2}V${strip + 30}`} />
          ))}
        </svg>
      </div>
    </figure>
  );
}

/** The values alone, each tile as long as its work. */
function Strip({ tiling }: { readonly tiling: Tiling }) {
  const total = tiling.tileOf.length;
  const runs: { tile: number; from: number; to: number }[] = [];
  tiling.tileOf.forEach((tile, index) => {
    const last = runs.at(-1);
    if (last?.tile === tile) last.to = index + 1;
    else runs.push({ tile, from: index, to: index + 1 });
  });
  return (
    <figure className="space-tree">
      <figcaption>
        The same cut in the {total} values in memory; the hierarchy is drawn for up to {LARGEST} values
      </figcaption>
      <svg
        className="space-strip"
        viewBox={`0 0 ${total} 10`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${counted(total, 'value')} in ${counted(tiling.tiles.length, 'tile')}`}
      >
        {runs.map(({ tile, from, to }) => (
          <g key={from} className={`space-tile lane-${tile % 8}`}>
            <rect x={from} y={0} width={to - from} height={10} />
          </g>
        ))}
      </svg>
    </figure>
  );
}
