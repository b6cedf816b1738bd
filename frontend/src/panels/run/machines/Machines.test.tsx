import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { WorkerView } from '../../../api/types';
import { Machines } from './Machines';

afterEach(cleanup);

const worker = (failures: Record<string, string>): WorkerView =>
  ({
    name: 'this server',
    busy: false,
    obstacle: null,
    targets: ['c'],
    facts: { memory_bytes: 2 ** 34, cores: 2, cpu: 'EPYC', mkl: null, stream_triad_gbps: {} },
    failed_probes: failures,
  }) as unknown as WorkerView;

it('says of a machine what it does not offer because its library failed when asked', () => {
  const opencl = 'ended its process (SIGABRT): Not enough memory to run on this device.';
  const { rerender } = render(<Machines workers={[worker({ opencl })]} onOpen={() => undefined} />);
  expect(screen.getByRole('listitem', { hidden: true }).textContent).toContain(
    'Not offered: OpenCL, whose library ended its process (SIGABRT): Not enough memory to run on this device.',
  );
  rerender(<Machines workers={[worker({})]} onOpen={() => undefined} />);
  expect(screen.getByRole('listitem', { hidden: true }).textContent).not.toContain('Not offered');
});
