import type { RegionView } from '../../api/types';
import { linkId, useLinked } from '../../state/links';

/** Every place that the loops read or write, with its offset and the loops around it. */
export function Regions({ regions }: { readonly regions: readonly RegionView[] }) {
  return (
    <div className="lowering-scroll" role="region" aria-label="Reads and writes" tabIndex={0}>
      <table className="lowering-regions">
        <thead>
          <tr>
            <th scope="col">Place</th>
            <th scope="col">What</th>
            <th scope="col">Offset</th>
            <th scope="col">Within</th>
          </tr>
        </thead>
        <tbody>
          {regions.map((region) => (
            <Row key={`${region.place} ${region.writes}`} region={region} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ region }: { readonly region: RegionView }) {
  const { props } = useLinked(region.tensor === null ? [] : linkId.tensor(region.tensor));
  const { place, writes, array, offset, within } = region;
  return (
    <tr onPointerEnter={props.onPointerEnter} onPointerLeave={props.onPointerLeave} data-linked={props['data-linked']}>
      <th scope="row">
        <code>{place}</code>
      </th>
      <td>{writes ? 'written' : 'read'}</td>
      <td>
        <code>
          {array}[{offset}]
        </code>
      </td>
      <td>
        <code>{within.join(', ') || 'no loop'}</code>
      </td>
    </tr>
  );
}
