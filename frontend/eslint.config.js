import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import hooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import process from 'node:process';
import ts from 'typescript-eslint';

/** These look at the order of hooks and at what they depend on; the others compile each component, for seconds. */
const QUICK_RULES = ['react-hooks/rules-of-hooks', 'react-hooks/exhaustive-deps'];
const recommended = hooks.configs.flat['recommended-latest'];
const compiling = Object.entries(recommended.rules).filter(([rule]) => !QUICK_RULES.includes(rule));

/** `./heddle test` draws the files that are compiled, one in four, by the commit (tests/sampling/combinations.py). */
const seed = process.env.HEDDLE_COMBINATION_SEED;
const waits = (file) => {
  if (seed === undefined) return false;
  const path = relative(import.meta.dirname, file).replaceAll('\\', '/');
  return createHash('sha256').update(`${seed} ${path}`).digest()[0] % 4 !== 0;
};

export default ts.config(
  { ignores: ['dist', 'src/api/schema.gen.ts'] },
  js.configs.recommended,
  ...ts.configs.strict,
  recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      'no-console': 'error',
      eqeqeq: 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXOpeningElement[name.name=/^[a-z]/]:not([name.name='option']) > JSXAttribute[name.name='title']",
          message: 'No keyboard and no touch reaches a title: say it by data-tip (components/tips).',
        },
      ],
      'max-lines': ['error', { max: 500 }],
    },
  },
  { files: [['**/*.{ts,tsx}', waits]], rules: Object.fromEntries(compiling.map(([rule]) => [rule, 'off'])) },
  { files: ['scripts/**'], languageOptions: { globals: { ...globals.node } }, rules: { 'no-console': 'off' } },
  prettier,
);
