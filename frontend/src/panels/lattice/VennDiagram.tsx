import { useId, useMemo } from 'react';
import type { LatticeView } from '../../api/types';
import { linkId, useLinked } from '../../state/links';
import { layoutVenn, MAX_CIRCLES, type Circle, type Region, type VennLayout } from '../../viz/lattice/venn';

interface Properties {
  readonly lattice: LatticeView;
  /** The operands that have the current coordinate, as one text; null before the first. */
  readonly here: string | null;
}

/** The same cases as regions: which operands have a coordinate, and what is computed there. */
export default function VennDiagram({ lattice, here }: Properties) {
  const layout = useMemo(() => layoutVenn(lattice), [lattice]);
  const id = useId();
  if (layout === null) {
    return (
      <p className="muted lattice-novenn">
        Circles can show at most {MAX_CIRCLES} operands; the lattice shows them all.
      </p>
    );
  }
  const said = layout.regions.map(
    (region) => `${region.present.join(' and ') || 'elsewhere'}: ${region.expression ?? 'nothing'}`,
  );
  return (
    <svg
      className="lattice-venn"
      role="img"
      aria-label={`What is computed where, by which operands have the coordinate. ${said.join('. ')}`}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      data-here={here ?? undefined}
    >
      <defs>
        {layout.circles.map((circle, index) => (
          <clipPath key={circle.operand} id={`${id}in${index}`}>
            <circle cx={circle.x} cy={circle.y} r={circle.radius} />
          </clipPath>
        ))}
        {layout.regions.map((region) => (
          <mask key={region.key} id={`${id}out${region.key}`}>
            <rect width={layout.width} height={layout.height} fill="white" />
            {layout.circles
              .filter(({ operand }) => !region.present.includes(operand))
              .map((circle) => (
                <circle key={circle.operand} cx={circle.x} cy={circle.y} r={circle.radius} fill="black" />
              ))}
          </mask>
        ))}
      </defs>
      {layout.regions.map((region) => (
        <Fill key={region.key} layout={layout} region={region} id={id} here={region.key === here} />
      ))}
      {layout.circles.map((circle) => (
        <Outline key={circle.operand} circle={circle} level={levelOf(lattice, circle)} />
      ))}
      {layout.regions.map((region) => (
        <text
          key={region.key}
          className={region.expression === null ? 'venn-nothing' : 'venn-expression'}
          x={region.x}
          y={region.y}
          textAnchor={region.present.length === 0 ? 'start' : 'middle'}
        >
          {region.key === here ? '▸ ' : ''}
          {region.expression === null ? '–' : shorter(region.expression)}
        </text>
      ))}
    </svg>
  );
}

/** Circles have little room: subscripts are known from the lattice next to it. */
const shorter = (expression: string): string => expression.replaceAll(/\([^()]*\)/g, '').replaceAll(' ', '');

const levelOf = (lattice: LatticeView, circle: Circle): number =>
  lattice.operands.find(({ access }) => access === circle.operand)?.level ?? 1;

interface FillProperties {
  readonly layout: VennLayout;
  readonly region: Region;
  readonly id: string;
  readonly here: boolean;
}

function Fill({ layout, region, id, here }: FillProperties) {
  const name = ['venn-region', region.point === null ? 'venn-empty' : '', here ? 'venn-here' : '']
    .filter(Boolean)
    .join(' ');
  const area = (
    <rect
      className={name}
      data-region={region.key}
      width={layout.width}
      height={layout.height}
      mask={`url(#${CSS.escape(`${id}out${region.key}`)})`}
    />
  );
  return layout.circles.reduce(
    (inner, circle, index) =>
      region.present.includes(circle.operand) ? (
        <g clipPath={`url(#${CSS.escape(`${id}in${index}`)})`}>{inner}</g>
      ) : (
        inner
      ),
    area,
  );
}

function Outline({ circle, level }: { readonly circle: Circle; readonly level: number }) {
  const { props } = useLinked(linkId.level(circle.tensor, level));
  return (
    <g data-link={props['data-link']} data-linked={props['data-linked']}>
      <circle className="venn-circle linkable" cx={circle.x} cy={circle.y} r={circle.radius} />
      <text className="venn-name" x={circle.label.x} y={circle.label.y}>
        {circle.operand}
      </text>
    </g>
  );
}
