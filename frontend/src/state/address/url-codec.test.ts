import { describe, expect, it } from 'vitest';
import { DEFAULT_DRAFT, EMPTY_DRAFT, toPlan } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { PlanError } from '../../plan/plan-reader';
import { decodeAddress, encodeAddress } from './url-codec';
import { DEFAULT_VIEW } from '../view-state';
import type { ViewState } from '../view-state';

const FULL: Draft = {
  version: 1,
  expression: 'C(i,k) = A(i,j) * B(j,k)',
  language: 'notation',
  sizes: {},
  arguments: {},
  tensors: { A: { format: 'csr', dtype: 'float32' }, B: { shape: [4096, 32] } },
  schedule: 'fuse(i, j, f)\npos(f, fpos, A)\nsplit(fpos, f0, f1, 256)\nparallelize(f0, CPUThread, Atomics)',
  target: 'opencl',
  inputs: { A: { generator: 'rmat', shape: [4096, 4096], nnz: 65536, seed: 7 }, B: { upload: 'sha256:00ff' } },
  baselines: ['mkl'],
  threads: 2,
  convert: 'never',
};
const FULL_VIEW: ViewState = {
  present: false,
  schedule: 'text',
  next: false,
  inputs: false,
  understand: 'provenance',
  code: 'stages',
  space: 'order',
  compare: 'summary',
  counts: false,
  storage: '',
  run: 'result',
  maximised: 'code',
  front: 'run',
};

/** Plans in addresses that say no version: the loops that no command moves run as they did when these were made. */
const FIRST: Draft = { ...EMPTY_DRAFT, version: 1 };

// Links that were given out. Never change or remove one: add a row when the coding changes.
const FIXTURES: readonly (readonly [fragment: string, draft: Draft, view: ViewState])[] = [
  [
    'z1.RY2xCsIwFEV_JbwpkQzWbgWH4i4iOolDTJ_01diEvBSqpf9uMjncu9zLOQvgHCIykx-hgY8kJfailaQHJTZiloMCDTSGKTE0C7SlOpMMY8r_h2VOr6qGddXAtsducgjNDTg4SpkiaJtTaVHvCiiYaJxDR1-UZTmcrpc-oum0OPqzscgK7hoSjuzjX_j08W2Kz3LMqvUH',
    { ...DEFAULT_DRAFT, version: 1 },
    DEFAULT_VIEW,
  ],
  [
    'z1.VVDBbsIwDP2VyKcy5dCV0WmRdgB-YIfthDhkrQOBNImSlDEQ_z67aJp2aGo9P_v5vSvgOSbM2QYPCtaVlceZeBVLKg4z8SBW1YEQkGB9HEsGdYUlPzv0mHQJiabSoAsxvL-AaheLeSshI_agnqnY64igNk_1Syv52d4krHjDGF3QRGJKs2hVXRsDN-qmkU65wqfO6KxH0tzAcHSwlVD2CXVPSEO83O2xHx1vBzNmpJPFQQrD18aQK0M1_aVYMpKjs6W6A6am71EKkp3IOmnnSOyCFbfWbx_vkxCNljDYLs8mcZ12WOjgENF3jgYL-hzSXyh9-WazYMhZmTfEMGEKR0GXE_w6_5fJvNmy6ZPFL-51oecNuegdOacFKXie51AkDPpsB5s52ztTwuh7TET3jMUUTui175CS_AE',
    FULL,
    FULL_VIEW,
  ],
  ['z1.q1ZKrSgoSi0uzszPU7JSUqoFAA', FIRST, DEFAULT_VIEW],
  [
    'j1.{"expression":"y(i) = x(i)","view":{"understand":"account","counts":true}}',
    { ...FIRST, expression: 'y(i) = x(i)' },
    { ...DEFAULT_VIEW, understand: 'account', counts: true },
  ],
  ['j1.%7B%22expression%22%3A%22y(i)%20%3D%20x(i)%22%7D', { ...FIRST, expression: 'y(i) = x(i)' }, DEFAULT_VIEW],
  [
    'j1.{"expression":"a = b(i)","options":{"convert":"automatic"}}',
    { ...FIRST, expression: 'a = b(i)', convert: 'automatic' },
    DEFAULT_VIEW,
  ],
  ['j1.{"expression":"a = b(i)","language":"notation"}', { ...FIRST, expression: 'a = b(i)' }, DEFAULT_VIEW],
  [
    'j1.{"expression":"a = b(i)","version":1,"view":{"front":"elsewhere"}}',
    { ...FIRST, expression: 'a = b(i)' },
    DEFAULT_VIEW,
  ],
  [
    'z1.RY4xD8IgFIT_CnkTGAbbbk0cGndjjE7GAekzpWIhPGqqTf-7oIPD3XKX-24GnHxAIuMGqOHFjWAb1nAje8FWbOK9AAlm8GMkqGdosrUqKsKY-ldNFO9FBcsigXSH7WgR6jOQtyamFWbWSYVkVZmHvArKWrTmjTwn2_3p2AVUrWQ7d1AaScBFQsSBXPgDby48VOZpCl_UE8Pvcbl8AA',
    DEFAULT_DRAFT,
    DEFAULT_VIEW,
  ],
  ['z1.q1ZKrSgoSi0uzszPU7JSUtJRKkstgnCMagE', EMPTY_DRAFT, DEFAULT_VIEW],
  ['j1.{"expression":"a = b(i)","version":2}', { ...EMPTY_DRAFT, expression: 'a = b(i)' }, DEFAULT_VIEW],
];

describe('the state in the address', () => {
  it.each(FIXTURES)('opens %s', (fragment, draft, view) => {
    expect(decodeAddress(`#${fragment}`)).toEqual({ draft, view, comparison: null });
  });

  it.each(FIXTURES.filter(([fragment]) => fragment.startsWith('z1.')))('writes exactly %s', (fragment, draft, view) => {
    expect(encodeAddress({ draft, view })).toBe(fragment);
  });

  it('writes the same text for the same plan, whatever the order in which it was edited', () => {
    const one = {
      ...EMPTY_DRAFT,
      expression: 'y(i)=A(i,j)*x(j)',
      tensors: { A: { format: 'csr' }, x: { dtype: 'float32' } },
    };
    const other = { ...one, tensors: { x: { dtype: 'float32' }, A: { format: 'csr' } }, schedule: '\n\n' };
    expect(encodeAddress({ draft: one, view: DEFAULT_VIEW })).toBe(encodeAddress({ draft: other, view: DEFAULT_VIEW }));
  });

  it('says nothing of an address without a state', () => {
    expect(decodeAddress('')).toBeNull();
    expect(decodeAddress('#section')).toBeNull();
  });

  it.each([
    ['z1.!!!', 'This link is broken'],
    ['z1.q1YqSy0qzszPU7IA', 'This link is broken'],
    ['j1.%7B%22expression%22', 'This link is broken'],
    ['j1.%', 'This link is broken'],
    ['j1.[]', 'the plan must be an object'],
    ['j1.{"schedule":[]}', 'expression must be text, but it is missing'],
    ['j1.{"expression":"","schedule":[1]}', 'schedule[0] must be text, but it is 1'],
    ['j1.{"expression":"","target":"fpga"}', 'target must be one of c, cuda, opencl, interpreter, but it is "fpga"'],
    [
      'j1.{"expression":"","language":"recipes"}',
      'language must be one of notation, patterns, comprehension, but it is "recipes"',
    ],
    ['j1.{"expression":"","version":3}', 'This plan has version 3; this page reads versions 1 and 2.'],
    ['q7.abc', 'made by a newer version of Heddle'],
  ])('refuses %s with words', (fragment, words) => {
    expect(() => decodeAddress(fragment)).toThrow(PlanError);
    expect(() => decodeAddress(fragment)).toThrow(words);
  });

  it('does not unpack without limit', () => {
    const bomb = encodeAddress({ draft: { ...EMPTY_DRAFT, expression: 'x'.repeat(3_000_000) }, view: DEFAULT_VIEW });
    expect(bomb.length).toBeLessThan(10_000);
    expect(() => decodeAddress(bomb)).toThrow(PlanError);
  });

  it('holds the disabled commands, which are no part of the plan', () => {
    const schedule = 'split(i, i0, i1, 32) # rows\n\n# reorder(i0, i1)\n// cut by hand\nunroll(i1, 4)';
    const draft = { ...DEFAULT_DRAFT, schedule };
    expect(toPlan(draft).schedule).toEqual(['split(i, i0, i1, 32)', 'unroll(i1, 4)']);
    const address = decodeAddress(encodeAddress({ draft, view: DEFAULT_VIEW }));
    expect(address?.draft.schedule).toBe(schedule.replace('\n\n', '\n'));
  });
});

it('reads the addresses of a folder without a server', () => {
  const coded = encodeAddress({ draft: FULL, view: FULL_VIEW });
  expect(decodeAddress(`#plan=${coded}`)).toEqual(decodeAddress(`#${coded}`));
  expect(decodeAddress(`#${coded}`)?.draft.expression).toBe(FULL.expression);
});
