/** `hyb(2,1)` of the running example, as the service counts it (tests/compiler/views/test_composition.py). */
import type { StoredPartsView } from '../../api/types';

export const HYB_2_1: StoredPartsView = {
  text: 'hyb(2,1)',
  expanded:
    'compressed(unordered,nonunique), padded(1) where piece(2,2) == 1 + compressed(unordered,nonunique), padded(2) where piece(2,2) == 2',
  shape: [4, 6],
  dtype: 'float64',
  entries: 7,
  places: 7,
  bytes: 128,
  exact: true,
  parts: [
    {
      name: 'ell1',
      layout: 'compressed(unordered,nonunique), padded(1)',
      levels_text: 'compressed(unordered,nonunique), padded(1)',
      test: 'piece(2,2) == 1',
      rows: 2,
      pieces: 3,
      places: 3,
      entries: 3,
      bytes: 60,
      slots: {
        entries: [2, 5, 6],
        outer: [0, 1, 2],
      },
    },
    {
      name: 'ell2',
      layout: 'compressed(unordered,nonunique), padded(2)',
      levels_text: 'compressed(unordered,nonunique), padded(2)',
      test: 'piece(2,2) == 2',
      rows: 2,
      pieces: 2,
      places: 4,
      entries: 4,
      bytes: 68,
      slots: {
        entries: [0, 1, 3, 4],
        outer: [0, 0, 1, 1],
      },
    },
  ],
  cells: {
    coordinates: [
      [0, 0],
      [0, 2],
      [2, 0],
      [2, 3],
      [2, 5],
      [3, 1],
      [3, 4],
    ],
    values: ['6.0', '9.0', '5.0', '7.0', '1.0', '2.0', '8.0'],
    parts: [1, 1, 0, 1, 1, 0, 0],
    places: [0, 1, 0, 2, 3, 1, 2],
  },
  raster: null,
  lengths: {
    ranges: 2,
    empty: 1,
    longest: 2,
    bins: [
      {
        least: 1,
        most: 1,
        fibres: 3,
        stored: [3, 0],
      },
      {
        least: 2,
        most: 2,
        fibres: 2,
        stored: [0, 2],
      },
    ],
  },
  load: {
    workers: 2,
    separate: [
      [2, 1],
      [2, 2],
    ],
    shared: [2, 5],
    together: [3, 4],
  },
  beside: [
    {
      format: 'csr',
      places: 7,
      bytes: 104,
      reason: null,
    },
    {
      format: 'ell',
      places: 12,
      bytes: 148,
      reason: null,
    },
    {
      format: 'bcsr(4,4)',
      places: 32,
      bytes: 272,
      reason: null,
    },
  ],
};
