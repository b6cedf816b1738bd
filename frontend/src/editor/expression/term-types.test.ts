import { describe, expect, it } from 'vitest';
import type { CompileView } from '../../api/types';
import { convolution } from '../../viz/ranges/fixture';
import { partAt } from './term-types';

const text = 'nFun(n => fun(x: [float]_n => x :>> map(fun(v => v * 2.0))))';
const span = (part: string): [number, number] => [text.indexOf(part), text.indexOf(part) + part.length];
const compiled: CompileView = {
  ...convolution,
  plan: { ...convolution.plan, expression: text },
  patterns: {
    sizes: [],
    integers: [],
    arguments: [],
    tree: [],
    formats: {},
    dimensions: {},
    memory: [],
    types: [
      { span: span('x :>> map(fun(v => v * 2.0))'), type: '[float]_n' },
      { span: [text.indexOf('x :>>'), text.indexOf('x :>>') + 1], type: '[float]_n' },
      { span: span('v * 2.0'), type: 'float' },
    ],
  },
};

describe('the type under the cursor', () => {
  it('is that of the smallest part around it', () => {
    expect(partAt(compiled, text, text.indexOf('* 2.0'))).toMatchObject({ text: 'v * 2.0', type: 'float' });
    expect(partAt(compiled, text, text.indexOf('x :>>'))).toMatchObject({ text: 'x', type: '[float]_n' });
    expect(partAt(compiled, text, text.indexOf(':>>'))).toMatchObject({ text: 'x :>> map(fun(v => v * 2.0))' });
  });

  it('is not told of the functions around the program, and where the text is another one', () => {
    expect(partAt(compiled, text, 3)).toBeNull();
    expect(partAt(compiled, `${text} `, text.indexOf('* 2.0'))).toBeNull();
    expect(partAt({ ...compiled, patterns: null }, text, text.indexOf('* 2.0'))).toBeNull();
    expect(partAt(null, text, 3)).toBeNull();
  });
});
