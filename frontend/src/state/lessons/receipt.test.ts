import { describe, expect, it } from 'vitest';
import { readPlan } from '../../plan/plan-reader';
import { receiptLink } from './receipt';

const PLAN = { version: 2, expression: 'y(i) = A(i,j) * x(j)', tensors: { A: { format: 'dcsr' } } };

describe('a receipt', () => {
  it('is an address with lesson, task, seed, answers and the plan', () => {
    const receipt = {
      lesson: 'what-a-format-stores',
      task: 'no-empty-rows',
      seed: 3,
      answers: { row: '4 & "5"' },
      draft: readPlan(PLAN),
    };
    // The same text stands in tests/backend/lessons/test_receipts.py, which reads it.
    expect(`https://host${receiptLink(receipt)}`).toBe(
      'https://host/?lesson=what-a-format-stores&task=no-empty-rows&seed=3&answers=%7B%22row%22%3A%224+%26+%5C%225%5C%22%22%7D#z1.q1ZKrSgoSi0uzszPU7JSqtTI1FSwVXDUyNTJ0lTQUqjQyNJU0lEqSc0rzi8qVrKqVnIEEWn5RbmJJUD1KcnFRUq1tTpKZalFECOMagE',
    );
  });
});
