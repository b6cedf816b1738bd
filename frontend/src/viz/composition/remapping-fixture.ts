/** What formats make of the running example, as the service says (tests/compiler/explorer/views/test_remapping.py). */
import type { RemappingView } from '../../api/types';

export const DIA: RemappingView = {
  targets: [
    { symbol: '{0}', formula: '{0}', dimension: 0, least: 0, length: 4 },
    { symbol: 'd', formula: '{1} − {0}', dimension: 1, least: -2, length: 6 },
  ],
  inverse: ['{0}', '{0} + d'],
  entries: [0, 1, 2, 3, 4, 5, 6],
  coordinates: [
    [0, 0],
    [0, 2],
    [2, -2],
    [2, 1],
    [2, 3],
    [3, -2],
    [3, 1],
  ],
  in_order: true,
  exact: true,
};

export const ELL: RemappingView = {
  targets: [
    { symbol: '{0}', formula: '{0}', dimension: 0, least: 0, length: 4 },
    { symbol: 's', formula: '#{0}', dimension: 1, least: 0, length: 3 },
  ],
  inverse: ['{0}', 'crd[{0}, s]'],
  entries: [0, 1, 2, 3, 4, 5, 6],
  coordinates: [
    [0, 0],
    [0, 1],
    [2, 0],
    [2, 1],
    [2, 2],
    [3, 0],
    [3, 1],
  ],
  in_order: true,
  exact: true,
};

export const BCSR_2_3: RemappingView = {
  targets: [
    { symbol: '{0}₁', formula: '{0} ÷ 2', dimension: 0, least: 0, length: 2 },
    { symbol: '{1}₁', formula: '{1} ÷ 3', dimension: 1, least: 0, length: 2 },
    { symbol: '{0}₀', formula: '{0} mod 2', dimension: 0, least: 0, length: 2 },
    { symbol: '{1}₀', formula: '{1} mod 3', dimension: 1, least: 0, length: 3 },
  ],
  inverse: ['{0}₁ · 2 + {0}₀', '{1}₁ · 3 + {1}₀'],
  entries: [0, 1, 2, 5, 3, 4, 6],
  coordinates: [
    [0, 0, 0, 0],
    [0, 0, 0, 2],
    [1, 0, 0, 0],
    [1, 0, 1, 1],
    [1, 1, 0, 0],
    [1, 1, 0, 2],
    [1, 1, 1, 1],
  ],
  in_order: true,
  exact: true,
};
