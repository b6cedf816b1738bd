import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalJson, EMPTY_DRAFT, EXPRESSION_LANGUAGES, toPlan } from './plan';
import type { Draft } from './plan';
import { readPlan } from './plan-reader';
import { rolesOf } from './roles';
import { headerOf, integersOf, rolesOfComprehension, sizesOf, windowsOf } from './header';
import { numbersOf, parametersOfPatterns } from './parameters';
import { broughtBack, setAside, settled, withExpression, withoutChoice } from './set-aside';

const fits = (format: string): boolean => format === 'csf';
const edited = (draft: Draft, ...texts: readonly string[]): Draft =>
  texts.reduce((now, text) => withExpression(now, text, fits), draft);

/** Tests run in frontend/. */
const FOLDER = '../backend/heddle_server/examples/';
const EXAMPLES: readonly (readonly [string, Draft])[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => {
    const { plan } = JSON.parse(readFileSync(FOLDER + name, 'utf-8')) as { plan: unknown };
    return [name, readPlan(plan)] as const;
  });
const IN_NOTATION = EXAMPLES.filter(([, { language }]) => language === EXPRESSION_LANGUAGES[0]);
const IN_OTHERS = EXAMPLES.filter(([, { language }]) => language !== EXPRESSION_LANGUAGES[0]);

const SPMV: Draft = {
  ...EMPTY_DRAFT,
  expression: 'y(i) = A(i,j) * x(j)',
  tensors: { A: { format: 'csr', dtype: 'float32' } },
  inputs: { A: { generator: 'rmat', shape: [4096, 4096] } },
};

describe('what the tensors of an expression are', () => {
  it.each([
    ['y(i) = A(i,j) * x(j)', { y: [true, 1], A: [false, 2], x: [false, 1] }],
    ['a = b(i) * c', { a: [true, 0], b: [false, 1], c: [false, 0] }],
    ['y_i = A_{i,j} * x_j', { y: [true, 1], A: [false, 2], x: [false, 1] }],
    ['d(i) min= w(i,j) + d0(j)', { d: [true, 1], w: [false, 2], d0: [false, 1] }],
    ['t(j) = A(i,j); y(i) = t(j) * B(i,j)', { t: [true, 1], A: [false, 2], y: [true, 1], B: [false, 2] }],
    ['t(j) = A(i,j)\ny(i) = t(j)\n  + b(i)', { t: [true, 1], A: [false, 2], y: [true, 1], b: [false, 1] }],
    ['y(i) = max(j, A(i,j)) + (b(i) == 0)', { y: [true, 1], A: [false, 2], b: [false, 1] }],
  ])('reads %s', (text, expected) => {
    const roles = Object.entries(rolesOf(text) ?? {}).map(([name, { made, order }]) => [name, [made, order]]);
    expect(Object.fromEntries(roles)).toMatchObject(expected);
  });

  it.each(['', 'y(i)', 'y(i) =', 'y(i) = A(i,', 'y(i) = A(i,j) *', 'y(i) = (A(i,j)', '= A(i,j)', 'y(i) = A(i,j))'])(
    'reads nothing from “%s”, which is not finished',
    (text) => expect(rolesOf(text)).toBeNull(),
  );

  it.each(IN_NOTATION)('reads every tensor of %s', (_name, { expression, inputs, tensors }) => {
    const roles = rolesOf(expression) ?? {};
    for (const name of Object.keys(inputs)) expect(roles[name]?.made).toBe(false);
    for (const name of Object.keys(tensors)) expect(roles[name]).toBeDefined();
  });
});

describe('an operand that becomes the result', () => {
  const MTTKRP = 'A(i,j) = B(i,k,l) * C(k,j) * D(l,j)';

  it('loses its data and its format, and keeps its type', () => {
    const draft = edited(SPMV, MTTKRP);
    expect(toPlan(draft)).toEqual({ version: 2, expression: MTTKRP, tensors: { A: { dtype: 'float32' } } });
    expect(setAside(draft)).toEqual([
      {
        tensor: 'A',
        role: { made: false, order: 2 },
        now: { made: true, order: 2 },
        input: SPMV.inputs.A,
        format: 'csr',
      },
    ]);
  });

  it('is found by way of texts that cannot be read', () => {
    expect(toPlan(edited(SPMV, 'A(i,', '', 'A(i,j) = B(i,', MTTKRP))).toEqual(toPlan(edited(SPMV, MTTKRP)));
  });

  it('has all of it again when it is an operand again', () => {
    const draft = edited(SPMV, MTTKRP, 'z(i) = A(i,j) * x(j)');
    expect(draft.inputs).toEqual(SPMV.inputs);
    expect(draft.tensors.A).toEqual(SPMV.tensors.A);
    expect(setAside(draft)).toEqual([]);
  });

  it('keeps nothing in wait once something else is chosen for it', () => {
    const draft = withoutChoice(edited(SPMV, MTTKRP), 'A');
    expect(setAside(draft)).toEqual([]);
    expect(edited(draft, SPMV.expression).inputs).toEqual({});
  });
});

describe('another number of indices', () => {
  it('takes the data and a format that is for the old number', () => {
    const draft = edited(SPMV, 'y(i) = A(i,j,k) * x(j)');
    expect(toPlan(draft).inputs).toBeUndefined();
    expect(draft.tensors.A).toEqual({ dtype: 'float32' });
  });

  it('leaves a format that is for any number', () => {
    const csf: Draft = { ...EMPTY_DRAFT, expression: 'a = B(i,j,k)', tensors: { B: { format: 'csf' } } };
    const draft = edited(csf, 'a = B(i,j,k,l)');
    expect(draft.tensors.B).toEqual({ format: 'csf' });
    expect(setAside(draft)).toEqual([]);
  });

  it('loses nothing while somebody types the indices', () => {
    const texts = ['y(i) = A(i)', 'y(i) = A(i,', 'y(i) = A(i,k)', 'y(i) = A(i,k) * x', 'y(i) = A(i,k) * x(k)'];
    const given: Draft = { ...SPMV, inputs: { ...SPMV.inputs, x: { generator: 'uniform', shape: [4096] } } };
    const draft = edited(given, ...texts);
    expect(draft.inputs).toEqual(given.inputs);
    expect(draft.tensors).toEqual(given.tensors);
  });
});

it('takes the data of a result out of a plan from outside', () => {
  const draft = settled({ ...SPMV, inputs: { ...SPMV.inputs, y: { generator: 'uniform', shape: [7] } } });
  expect(draft.inputs).toEqual(SPMV.inputs);
  expect(setAside(draft)).toHaveLength(1);
});

it.each(IN_OTHERS)('leaves %s as it is, whose program says what its parameters are', (_name, draft) => {
  expect(settled(draft)).toBe(draft);
  const there = edited(draft, 'y(i) = A(i,j) * x(j)');
  expect(toPlan(edited(there, draft.expression))).toEqual(toPlan(draft));
});

describe.each(IN_NOTATION)('%s', (_name, draft) => {
  it.each(IN_NOTATION)('turned into the expression of %s and back is what it was', (_other, { expression }) => {
    const there = edited(draft, expression);
    const roles = rolesOf(expression) ?? {};
    const plan = toPlan(there);
    for (const name of Object.keys(plan.inputs ?? {})) expect(roles[name]?.made).toBe(false);
    expect(edited(there, expression).inputs).toEqual(there.inputs);
    expect(canonicalJson(toPlan(edited(there, draft.expression)))).toBe(canonicalJson(toPlan(draft)));
  });
});

describe('a comprehension that takes the place of another', () => {
  const EXAMPLE: Draft = {
    ...EMPTY_DRAFT,
    language: 'comprehension',
    expression: 'def fcrelu(float(B,M) x, float(N,M) W) -> (O) { O(b,n) +=! x(b,m) * W(n,m) }',
    sizes: { M: 256, s: 2 },
    tensors: { x: { shape: [128, 256] }, W: { shape: [64, 256] } },
  };
  const MV = 'def mv(float(M,K) A, float(K) x) -> (C) { C(i) +=! A(i,k) * x(k) }';
  const CONV = 'def conv1d(float(N) I, float(K) W) -> (O) { O(x) +=! I(x + k) * W(k) }';

  it('leaves no shape of the old program behind', () => {
    const draft = edited(EXAMPLE, 'def mv(float(M,K) A, float(', MV);
    expect(toPlan(draft)).toEqual({ version: 2, language: 'comprehension', expression: MV, sizes: { M: 256 } });
    expect(setAside(draft)).toMatchObject([{ tensor: 'x', shape: [128, 256], now: { order: 1 } }]);
  });

  it('has what was set aside again at one press, or when its text is back', () => {
    expect(broughtBack(edited(EXAMPLE, MV), 'x').tensors.x).toEqual({ shape: [128, 256] });
    expect(setAside(broughtBack(edited(EXAMPLE, MV), 'x'))).toEqual([]);
    expect(toPlan(edited(EXAMPLE, MV, EXAMPLE.expression))).toEqual(toPlan(EXAMPLE));
  });

  it('takes an index variable for no tensor that was there before', () => {
    expect(toPlan(edited(EXAMPLE, CONV))).toEqual({ version: 2, language: 'comprehension', expression: CONV });
  });

  it('keeps an input of the same order, and no shape under other sizes', () => {
    const before: Draft = { ...EXAMPLE, inputs: { x: { dataset: 'karate' } } };
    const draft = edited(before, 'def f(float(P,Q) x) -> (O) { O(p) +=! x(p,q) }');
    expect([draft.inputs, draft.tensors.x]).toEqual([before.inputs, undefined]);
  });

  it('says its sizes and its integers', () => {
    const header = headerOf(
      'def a(float(N) x) -> (y) { y(i) = x(i) }\ndef s(int sh, float a, float(N,C,H) I, int(4,N) J) -> (float(N) O) { O(n) +=! I(n,c,h*sh) }',
    );
    expect(header === null ? null : [sizesOf(header), integersOf(header)]).toEqual([['N', 'C', 'H'], ['sh']]);
    expect(header?.results).toEqual(['O']);
  });

  it.each([
    [CONV, ['K']],
    [
      'def c(float(N,C,H) I, float(M,C,KH) F) -> (O) { O(n,m,h) +=! I(n, c, sh*h + kh) * F(m, c, kh) where c in 0:C }',
      ['KH'],
    ],
    [MV, []],
  ])('says which sizes are windows: %s', (text, windows) => {
    const header = headerOf(text);
    expect(header && windowsOf(header)).toEqual(windows);
  });

  it.each([
    '',
    'def f(',
    'def f(float(N) x) -> (O)',
    'def f(float(N) x) -> (O) { O(i) = x(i)',
    'def f(float(N x) -> (O) { }',
  ])('reads nothing from “%s”, which is not finished', (text) => expect(rolesOfComprehension(text)).toBeNull());
});

describe('a program of patterns that takes the place of another', () => {
  const ROWS =
    'nFun(n => nFun(m => fun(offset: [int]_{n+1} => fun(vals: [i -> [float]_{toNat(offset@i)}]_n => vals))))';
  const EXAMPLE: Draft = {
    ...EMPTY_DRAFT,
    language: 'patterns',
    expression: ROWS,
    arguments: { offset: 'A.pos', vals: 'A.vals' },
    tensors: { A: { format: 'csr' } },
    inputs: { A: { dataset: 'bcsstk13' } },
    sizes: { n: 256 },
  };
  const DENSE = 'nFun(n => fun(A: [[float]_n]_n => fun(k: int => A)))';

  it('leaves neither a format nor data of parts behind, which types say now', () => {
    const draft = edited(EXAMPLE, 'nFun(n => fun(A: [[float', DENSE);
    expect(toPlan(draft)).toEqual({ version: 2, language: 'patterns', expression: DENSE, sizes: { n: 256 } });
    expect(setAside(draft)).toMatchObject([{ tensor: 'A', format: 'csr', input: { dataset: 'bcsstk13' } }]);
    expect(toPlan(edited(EXAMPLE, DENSE, ROWS))).toEqual(toPlan(EXAMPLE));
  });

  it('sets an argument aside with the layout that it was for', () => {
    const draft = edited(EXAMPLE, ROWS.replace('[i -> [float]_{toNat(offset@i)}]_n', '[[float]_m]_n'));
    expect(toPlan(draft).arguments).toEqual({ offset: 'A.pos' });
    expect(setAside(draft)).toMatchObject([{ tensor: 'vals', argument: 'A.vals' }]);
    expect(broughtBack(draft, 'vals').arguments).toEqual(EXAMPLE.arguments);
  });

  it('keeps what fits: the same layout under other sizes', () => {
    const draft = edited(EXAMPLE, ROWS.replaceAll('m', 'q'));
    expect([setAside(draft), toPlan(draft).arguments]).toEqual([[], EXAMPLE.arguments]);
  });

  it('names its sizes and its integers, and no variable of a row', () => {
    const parameters = parametersOfPatterns('nFun(n => fun(k: int => fun(L: [i => [float]_{i+1}]_n => L // i\n)))');
    expect(parameters && numbersOf(parameters)).toEqual(['n', 'k']);
    expect(parameters?.types).toEqual({ k: 'int', L: '[i => [float]_{i+1}]_n' });
    expect(toPlan({ ...EXAMPLE, expression: DENSE, sizes: { n: 4, k: 2, i: 7 } })).toMatchObject({
      sizes: { n: 4, k: 2 },
    });
    expect(JSON.stringify(toPlan({ ...EXAMPLE, expression: DENSE, sizes: { i: 7 } }))).not.toContain('sizes');
  });
});
