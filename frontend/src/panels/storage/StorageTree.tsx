import { useMemo, useRef } from 'react';
import { linkId, useLinked } from '../../state/links';
import type { StorageModel } from '../../viz/storage/marks';
import { nodeKey } from '../../viz/storage/keys';
import { LABELS, treeLayout } from '../../viz/storage/tree';
import { download } from '../../components/download';
import { svgText } from '../../components/diagram/export-svg';
import './tree.css';

interface Props {
  readonly name: string;
  readonly model: StorageModel;
  readonly dimensions: readonly string[];
  /** Width of the picture. */
  readonly room: number;
}

/** The coordinate hierarchy tree: one row of coordinates for each level, the values below. */
export default function StorageTree({ name, model, dimensions, room }: Props) {
  const layout = useMemo(() => treeLayout(model, room), [model, room]);
  const half = layout.column / 2 - 1;
  const svg = useRef<SVGSVGElement>(null);
  const { tensor } = model;
  const label = `Coordinate tree of ${name} in ${tensor.format}`;
  const save = (): void => {
    if (svg.current) {
      const text = svgText(svg.current, layout.width, layout.height, label);
      download(text, 'image/svg+xml', `storage-${name}.svg`);
    }
  };
  return (
    <section className="storage-part" aria-label="Coordinate tree">
      <div className="storage-part-head">
        <h3>Coordinate tree</h3>
        <button type="button" className="link-button" onClick={save}>
          SVG
        </button>
      </div>
      <div className="storage-scroll">
        <svg
          ref={svg}
          role="group"
          aria-label={label}
          className="storage-tree"
          width={layout.width}
          height={layout.height}
          data-elements=""
        >
          <g>
            {layout.rows.map((y, depth) => (
              <LevelName key={depth} name={name} depth={depth} y={y} model={model} dimensions={dimensions} />
            ))}
            {layout.edges.map(({ key, data }) => (
              <path key={key} className="storage-edge" d={data} />
            ))}
            <text className="storage-root" x={layout.root.x} y={layout.root.y + 4}>
              {name}
            </text>
            {layout.values.map(({ position, x, y, text, entry }) => (
              <g key={position} data-key={nodeKey(tensor.levels.length, position)} data-entry={entry}>
                <rect className="storage-value-box" x={x - half} y={y - 11} width={2 * half} height={20} rx={3} />
                <text className="storage-value" x={x} y={y + 3}>
                  {text}
                </text>
              </g>
            ))}
            {layout.nodes.map(({ depth, position, x, y, text }, index) => (
              <g
                key={`${depth} ${position}`}
                className="storage-node"
                role="img"
                aria-label={`Level ${depth + 1}, position ${position}: ${text === '' ? 'empty slot' : `coordinate ${text}`}`}
                tabIndex={index === 0 ? 0 : -1}
                data-key={nodeKey(depth, position)}
                data-leaf={depth === tensor.levels.length - 1 ? '' : undefined}
              >
                <circle cx={x} cy={y} r={layout.radius} />
                <text x={x} y={y + 4}>
                  {text}
                </text>
              </g>
            ))}
          </g>
        </svg>
      </div>
    </section>
  );
}

interface LevelProps extends Omit<Props, 'room'> {
  readonly depth: number;
  readonly y: number;
}

function LevelName({ name, depth, y, model, dimensions }: LevelProps) {
  const level = model.tensor.levels[depth];
  const variable = dimensions[level?.dimension ?? -1] ?? String(level?.dimension ?? '');
  const { lit } = useLinked(linkId.level(name, depth + 1));
  return (
    <g className="storage-level-name" data-lit={lit ? '' : undefined}>
      <line x1={0} x2={LABELS - 12} y1={y + 20} y2={y + 20} />
      <text x={4} y={y - 4}>
        {depth + 1} <tspan className="storage-variable">{variable}</tspan>
      </text>
      <text x={4} y={y + 12} className="storage-kind">
        {level?.kind}
      </text>
    </g>
  );
}
