import { describe, expect, it } from 'vitest';
import { scalarsOf } from '../trace-values';
import { traced } from '../fixtures/compiled';
import { provenanceNumbers } from './numbers';

type Name = keyof typeof traced;

function numbersAt(name: Name, index: number) {
  const { result, trace } = traced[name];
  return provenanceNumbers(result, trace, scalarsOf(trace)(index), index);
}

const stepsOf = (name: Name) => traced[name].trace.steps.map((step, index) => ({ step, index }));

describe('numbers of the provenance graph', () => {
  it.each(['positions', 'balanced'] as const)('shows what the interpreter holds at every step (%s)', (name) => {
    const { trace } = traced[name];
    for (const { step, index } of stepsOf(name)) {
      const numbers = numbersAt(name, index);
      const scalars = scalarsOf(trace)(index);
      for (const [variable, { value }] of numbers) {
        expect(value).toBe(step.visit?.[variable] ?? scalars.get(variable) ?? null);
      }
    }
  });

  it('keeps what the loops of a consumer hold while the producer of a workspace computes', () => {
    let producing = 0;
    for (const { step, index } of stepsOf('workspace')) {
      const numbers = numbersAt('workspace', index);
      const scalars = scalarsOf(traced.workspace.trace)(index);
      for (const name of ['i', 'k', 'j', 'jw']) expect(numbers.get(name)?.value).toBe(scalars.get(name) ?? null);
      if (step.visit === null) continue;
      producing += 1;
      expect(numbers.get('jw')?.value).toBe(step.visit.j);
    }
    expect(producing).toBeGreaterThan(0);
    expect(numbersAt('workspace', 0).get('jw')?.domain).toEqual(numbersAt('workspace', 0).get('j')?.domain);
  });

  it('propagates bounds from the sizes of the data', () => {
    const numbers = numbersAt('balanced', 0);
    const domain = (name: string) => numbers.get(name)?.domain;
    expect(domain('i')).toEqual({ lower: 0, upper: 4 });
    expect(domain('j')).toEqual({ lower: 0, upper: 6 });
    expect(domain('f')).toEqual({ lower: 0, upper: 24 });
    // Seven entries are stored.
    expect(domain('fpos')).toEqual({ lower: 0, upper: 7 });
    expect(domain('p0')).toEqual({ lower: 0, upper: 2 });
    expect(domain('p1')).toEqual({ lower: 0, upper: 4 });
  });

  it('finds the positions of the row that the run is in', () => {
    const pos = traced.positions.trace.tensors.find(({ tensor }) => tensor === 'A')?.arrays.A2_pos ?? [];
    let rows = 0;
    for (const { index } of stepsOf('positions')) {
      const numbers = numbersAt('positions', index);
      const row = numbers.get('i')?.value ?? null;
      const segment = row === null ? null : { lower: pos[row], upper: pos[row + 1] };
      expect(numbers.get('jpos')?.domain ?? null).toEqual(segment);
      if (row !== null) rows += 1;
    }
    expect(rows).toBeGreaterThan(7);
  });

  it('puts the numbers of the step into the recovery formulas, and they hold', () => {
    let held = 0;
    for (const { index } of stepsOf('balanced')) {
      const numbers = numbersAt('balanced', index);
      const recovery = numbers.get('fpos')?.recovery;
      if (!recovery) continue;
      const [left, right] = recovery.split(' = ');
      const [outer, inner] = [numbers.get('p0')?.value ?? 0, numbers.get('p1')?.value ?? 0];
      expect(right).toBe(`${outer} · 4 + ${inner}`);
      // Just after the next iteration began, fpos still holds the value of the one before.
      if (Number(left) === outer * 4 + inner) held += 1;
    }
    expect(held).toBeGreaterThan(20);
  });
});
