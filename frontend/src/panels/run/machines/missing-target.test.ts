import { describe, expect, it } from 'vitest';
import type { WorkerView } from '../../../api/types';
import { lackOf } from './missing-target';

const worker = (targets: string[], obstacle: string | null = null): WorkerView =>
  ({
    name: 'w',
    machine: 'm',
    resources: [],
    targets,
    busy: false,
    obstacle,
    facts: {},
    sandbox: {},
  }) as unknown as WorkerView;

describe('a target that no machine can run', () => {
  it('is said, with those that can', () => {
    const lack = lackOf('cuda', [worker(['c', 'interpreter', 'opencl'])]);
    expect(lack?.reason).toContain('NVIDIA GPU');
    expect(lack?.instead).toEqual(['opencl', 'interpreter']);
  });

  it('is offered only what is there', () => {
    expect(lackOf('cuda', [worker(['c', 'interpreter'])])?.instead).toEqual(['interpreter']);
    expect(lackOf('opencl', [worker(['c', 'interpreter'])])?.instead).toEqual(['interpreter']);
  });

  it('is none where a machine has what it needs', () => {
    expect(lackOf('cuda', [worker(['c']), worker(['c', 'cuda'])])).toBeNull();
    expect(lackOf('c', [worker(['c'])])).toBeNull();
  });

  it('is not claimed before any worker is known, and a worker that gets no runs does not count', () => {
    expect(lackOf('cuda', [])).toBeNull();
    expect(lackOf('cuda', [worker(['c']), worker(['cuda'], 'another version')])).not.toBeNull();
  });
});
