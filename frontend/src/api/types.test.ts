import { expectTypeOf, it } from 'vitest';
import type { CodeLanguage, Target } from '../plan/targets';
import type { components } from './schema.gen';

type Schemas = components['schemas'];

it('has the targets and languages of the page, which the compiler of types checks', () => {
  expectTypeOf<Target>().toEqualTypeOf<NonNullable<Schemas['PlanDocument']['target']>>();
  expectTypeOf<CodeLanguage>().toEqualTypeOf<Schemas['CodeView']['language']>();
});
