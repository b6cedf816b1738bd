import { linkId, useLinked, type LinkId } from '../../state/links';
import type { PlacedPath } from '../../viz/iteration/types';
import { pathClass } from './path-class';

function identities(path: PlacedPath): LinkId[] {
  const levels = path.stations.flatMap((station) => station.levels);
  return [linkId.tensor(path.tensor), ...levels.map((level) => linkId.level(path.tensor, level))];
}

/** The line of one access through the nodes, under them. */
export function PathLine({ path }: { readonly path: PlacedPath }) {
  const { lit } = useLinked(identities(path));
  const pointing = useLinked(linkId.tensor(path.tensor)).props;
  return (
    <g
      className={`tensor-path ${pathClass(path.colour)}${path.result ? ' tensor-path-result' : ''}${lit ? ' tensor-path-lit' : ''}`}
      data-link={pointing['data-link']}
      onPointerEnter={pointing.onPointerEnter}
      onPointerLeave={pointing.onPointerLeave}
      onClick={pointing.onClick}
    >
      <path className="path-hit" d={path.data} />
      <path className="path-halo" d={path.data} />
      <path className="path-line" d={path.data} />
      {path.result && <path className="path-core" d={path.data} />}
    </g>
  );
}
