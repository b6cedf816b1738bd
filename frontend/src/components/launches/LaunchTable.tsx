import type { ReactNode } from 'react';
import type { CompileView, KernelFiguresView, LaunchView } from '../../api/types';
import { loopsOn } from '../../viz/gpu/warps';
import { threadsText } from '../../viz/gpu/launch-text';
import { Fusion } from './Fusion';
import { useOccupancy } from './use-occupancy';
import { Variables } from './Variables';
import './launch-table.css';
import { counted } from '../../text/quantities';

/** The launches of a GPU kernel: grid, block and memory, and what NVIDIA's compiler makes of each. */
export default function LaunchTable({ result }: { readonly result: CompileView }) {
  const occupancy = useOccupancy(result);
  const figures = occupancy.state === 'known' ? occupancy.view.kernels : [];
  return (
    <div className="gpu-launches">
      <ol>
        {result.launches.map((launch) => (
          <Launch key={launch.name} launch={launch} figures={figures.filter(({ kernel }) => kernel === launch.name)} />
        ))}
      </ol>
      {result.commands.some(({ text }) => /^\s*concat\b/.test(text)) && <Fusion result={result} />}
      <p className="caption muted">
        {occupancy.state === 'asked' && 'Asking NVIDIA’s compiler for registers and occupancy…'}
        {occupancy.state === 'failed' && `Registers and occupancy are not known: ${occupancy.reason}.`}
        {occupancy.state === 'known' &&
          (occupancy.view.ok
            ? 'Registers are those of the kernel compiled as CUDA. Occupancy is a model: the share of a multiprocessor’s warps that can be resident at once.'
            : `Registers and occupancy are not known. ${occupancy.view.diagnostics[0]?.message ?? ''}`)}
      </p>
    </div>
  );
}

interface LaunchProps {
  readonly launch: LaunchView;
  readonly figures: readonly KernelFiguresView[];
}

function Launch({ launch, figures }: LaunchProps) {
  const [warps, threads] = [loopsOn(launch, 'GPUWarp'), loopsOn(launch, 'GPUThread')];
  return (
    <li>
      <code>{launch.name}</code>
      {launch.command === null && <span className="caption muted"> that no command asked for: the others need it</span>}
      <dl>
        <Fact name="Grid">
          <code>{launch.grid}</code> blocks <Variables loops={loopsOn(launch, 'GPUBlock')} />
        </Fact>
        <Fact name="Block">
          {threadsText(launch)}
          {warps.length > 0 && '; warps '}
          <Variables loops={warps} />
          {threads.length > 0 && '; threads '}
          <Variables loops={threads} />
        </Fact>
        <Fact name="Shared memory">
          {launch.shared_bytes === 0 ? 'none' : `${launch.shared_bytes.toLocaleString('en')} bytes per block`}
        </Fact>
        {figures.map(({ architecture, registers, local_bytes, occupancy }) => (
          <Fact key={architecture} name={architecture}>
            {counted(registers, 'register')} per thread
            {local_bytes > 0 && `, ${local_bytes} bytes in local memory`}, occupancy {(100 * occupancy).toFixed(0)} %
          </Fact>
        ))}
      </dl>
    </li>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
