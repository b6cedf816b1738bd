import type { CompileView, LaunchWorkView, MemoryAccessView } from '../../../api/types';
import { linkIdsOf, useLinked } from '../../../state/links';
import { byTraffic, coalescing, SECTOR_BYTES } from '../../../viz/gpu/memory';
import { counted } from '../../../text/quantities';
import { Explained } from '../../../components/Term';

interface Props {
  readonly result: CompileView;
  readonly work: LaunchWorkView;
}

const KINDS = { load: 'reads', store: 'writes', atomic: 'adds atomically' } as const;

/** For each place of the code that touches global memory, the sectors that a warp touches at once. */
export function MemoryTable({ result, work }: Props) {
  const rows = byTraffic(work.memory);
  const most = Math.max(1, ...rows.map(({ sectors }) => sectors));
  const inCode = result.code !== null && rows.every(({ c_line }) => c_line !== null);
  return (
    <div className="table-scroll" role="group" aria-label="Table of memory accesses" tabIndex={0}>
      <table className="gpu-memory">
        <caption>
          <span>
            <Explained>
              Global memory: sectors of {SECTOR_BYTES} bytes that the warps touch, with one request for all lanes of a
              warp. The filled part of a bar is what would be enough if the elements were contiguous.
            </Explained>
          </span>
        </caption>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Access</th>
            <th scope="col">Lanes</th>
            <th scope="col">Sectors</th>
            <th scope="col">Coalesced</th>
            <th scope="col">Lanes waiting</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((access) => (
            <Row key={`${access.line} ${access.array} ${access.kind}`} access={access} most={most} inCode={inCode} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly access: MemoryAccessView;
  readonly most: number;
  readonly inCode: boolean;
}

function Row({ access, most, inCode }: RowProps) {
  const { props } = useLinked(linkIdsOf(access));
  const { efficiency, perRequest } = coalescing(access);
  return (
    <tr data-array={access.array} data-kind={access.kind} data-sectors={access.sectors}>
      <td>{inCode ? access.c_line : access.line}</td>
      <th scope="row">
        {KINDS[access.kind]}{' '}
        <span {...props} role="button" tabIndex={0} className="gpu-variable" aria-label={`Array ${access.array}`}>
          {access.array}
        </span>
      </th>
      <td>
        {access.accesses}
        <span className="caption muted block">in {counted(access.requests, 'request')}</span>
      </td>
      <td>
        <Bar fewest={access.fewest / most} sectors={access.sectors / most} />
        {access.sectors}
        <span className="caption muted block">{perRequest.toFixed(1)} per request</span>
      </td>
      <td>{(100 * efficiency).toFixed(0)} %</td>
      <td>{access.kind === 'atomic' ? access.collisions : '–'}</td>
    </tr>
  );
}

/** The number stands next to it. */
function Bar({ fewest, sectors }: { readonly fewest: number; readonly sectors: number }) {
  return (
    <svg className="gpu-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <defs>
        <pattern id="gpu-hatch" width="3" height="3" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="gpu-hatch" width="1.2" height="3" />
        </pattern>
      </defs>
      <rect className="gpu-scattered" fill="url(#gpu-hatch)" width={100 * sectors} height={10} />
      <rect className="gpu-wanted" width={100 * Math.min(fewest, sectors)} height={10} />
    </svg>
  );
}
