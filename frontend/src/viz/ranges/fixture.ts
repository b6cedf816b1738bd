/** A convolution as the service answers it, without what the ranges do not need. */
import type { CompileView } from '../../api/types';
import { emptyView } from '../fixtures/parts';

const expression = 'def c1(float(N) I, float(K) W) -> (O) { O(i) +=! W(x) * I(i+x) }';

export const convolution: CompileView = {
  ...emptyView(expression),
  plan: { version: 2, language: 'comprehension', expression },
  ranges: {
    complete: true,
    sizes: [
      { name: 'N', value: 8, example: true },
      { name: 'K', value: 3, example: false },
    ],
    statements: [
      {
        number: 0,
        text: 'O(i) +=! W(x) * I(i+x)',
        first: 40,
        last: 62,
        variables: [
          { name: 'i', reduced: false, interval: '0:N - K + 1', start: 0, end: 6, at: 43 },
          { name: 'x', reduced: true, interval: '0:K', start: 0, end: 3, at: 52 },
        ],
        rounds: [
          {
            number: 1,
            variable: 'x',
            how: 'access',
            access: 'W(x)',
            constraint: '0 <= x < K',
            eliminated: [],
            interval: '0:K',
            start: 0,
            end: 3,
          },
          {
            number: 2,
            variable: 'i',
            how: 'access',
            access: 'I(i+x)',
            constraint: '0 <= i + x < N',
            eliminated: ['x in 0:K'],
            interval: '0:N - K + 1',
            start: 0,
            end: 6,
          },
        ],
      },
    ],
    results: [{ name: 'O', dimensions: ['0:N - K + 1'] }],
    checks: [{ statement: 0, what: '0 <= N - K + 1', why: 'i runs over a range that does not end before it begins' }],
  },
};
