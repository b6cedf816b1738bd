import { linkId, useLinked } from '../../state/links';
import type { PlacedPath, Station } from '../../viz/iteration/types';
import { pathClass } from './path-class';

/** The name at the start of a path, and a dot for each level of the tensor that is reached, above the nodes. */
export function PathLabel({ path }: { readonly path: PlacedPath }) {
  const linked = useLinked(linkId.tensor(path.tensor));
  const { label } = path;
  const levels = path.stations.filter((station) => station.levels.length > 0);
  const kind = path.result ? 'Result' : path.temporary ? 'Workspace' : 'Operand';
  const way = levels.map((one) => `level ${one.levels.join(' and ')} at ${one.variable}`).join(', ');
  return (
    <g
      className={`tensor-label ${pathClass(path.colour)}${path.result ? ' tensor-label-result' : path.temporary ? ' tensor-label-temporary' : ''}`}
    >
      {levels.map((station) => (
        <StationDot key={station.variable} path={path} station={station} />
      ))}
      <g
        {...linked.props}
        role="button"
        aria-pressed={linked.pinned}
        aria-label={`${kind} ${path.access}: ${way}`}
        tabIndex={-1}
        data-item=""
      >
        <title>{path.access}</title>
        <rect className="label-box" x={label.x} y={label.y} width={label.width} height={label.height} rx={5} />
        <rect className="linkable label-lit" x={label.x} y={label.y} width={label.width} height={label.height} rx={5} />
        <text x={label.x + label.width / 2} y={label.y + label.height / 2 + 0.5}>
          {path.tensor}
        </text>
      </g>
    </g>
  );
}

function StationDot({ path, station }: { readonly path: PlacedPath; readonly station: Station }) {
  const ids = station.levels.map((level) => linkId.level(path.tensor, level));
  const { props } = useLinked(ids);
  const numbered = !path.inLevelOrder;
  const how = station.iterated ? 'iterated' : 'located';
  return (
    <g
      className={station.iterated ? 'station' : 'station station-located'}
      transform={`translate(${station.x} ${station.y})`}
      data-link={props['data-link']}
      data-linked={props['data-linked']}
      onPointerEnter={props.onPointerEnter}
      onPointerLeave={props.onPointerLeave}
      onClick={props.onClick}
    >
      <title>{`${path.tensor} level ${station.levels.join(', ')}: ${how} at ${station.variable}`}</title>
      <circle className="station-hit" r={9} />
      <circle className="linkable station-dot" r={numbered ? 7.5 : 4} />
      {numbered && (
        <text className="station-number" y={0.5}>
          {station.levels.join(',')}
        </text>
      )}
    </g>
  );
}
