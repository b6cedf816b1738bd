import { expect, it } from 'vitest';
import { DEFAULT_DRAFT } from '../plan/plan';
import { inLanguage } from './languages';

it('starts a language with its example, and brings back what was left in another', () => {
  const patterns = inLanguage(DEFAULT_DRAFT, 'patterns', 'nFun(n => n)');
  expect(patterns).toMatchObject({ language: 'patterns', expression: 'nFun(n => n)', tensors: {}, schedule: '' });
  const edited = { ...patterns, expression: 'nFun(m => m)' };
  expect(inLanguage(edited, 'notation', 'y(i) = x(i)')).toEqual(DEFAULT_DRAFT);
  expect(inLanguage(DEFAULT_DRAFT, 'patterns', 'nFun(n => n)')).toEqual(edited);
});
