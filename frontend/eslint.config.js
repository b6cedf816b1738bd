import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import hooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['dist', 'src/api/schema.gen.ts'] },
  js.configs.recommended,
  ...ts.configs.strict,
  hooks.configs.flat['recommended-latest'],
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
  { files: ['scripts/**'], languageOptions: { globals: { ...globals.node } }, rules: { 'no-console': 'off' } },
  prettier,
);
