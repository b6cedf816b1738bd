import { expect, it } from 'vitest';
import { DEFAULT_DRAFT, EMPTY_DRAFT } from '../../plan/plan';
import { inLanguage } from './languages';

it('starts a language with its first plan, and brings back what was left in another', () => {
  const first = { ...EMPTY_DRAFT, language: 'patterns', expression: 'nFun(n => n)' } as const;
  expect(inLanguage(DEFAULT_DRAFT, 'patterns', first)).toEqual(first);
  const edited = { ...first, expression: 'nFun(m => m)' };
  expect(inLanguage(edited, 'notation', EMPTY_DRAFT)).toEqual(DEFAULT_DRAFT);
  expect(inLanguage(DEFAULT_DRAFT, 'patterns', first)).toEqual(edited);
});
