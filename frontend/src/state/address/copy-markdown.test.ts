import { expect, it } from 'vitest';
import { markdownOf } from './copy-markdown';

const PLAN = { version: 1, expression: 'y(i) = A(i,j) * x(j)', tensors: { A: { format: 'csr' } } };

it('writes the plan, its code and the way back', () => {
  const text = markdownOf(
    { ...PLAN, schedule: ['split(i, i0, i1, 32)'] },
    { language: 'c', text: 'int x;\n' },
    'https://h/#z1.x',
  );
  expect(text).toContain('**[y(i) = A(i,j) * x(j)](https://h/#z1.x)**');
  expect(text).toContain('Formats: `A` csr.');
  expect(text).toContain('```text\nsplit(i, i0, i1, 32)\n```');
  expect(text).toContain('```c\nint x;\n```');
});

it('leaves out what is not there, and never lets a text end its own fence', () => {
  expect(markdownOf(PLAN, null, 'u')).toContain('No schedule');
  expect(markdownOf(PLAN, { language: 'c', text: '// ```' }, 'u')).toContain('````c\n// ```\n````');
});
