import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'data/'] },
  {
    files: [
      'src/**/*.ts',
      'rest-compat/**/*.ts',
      'test/**/*.ts',
      'bench/**/*.ts',
      'demo/**/*.ts',
      'examples/**/*.ts',
    ],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json' } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      // Fastify, Apollo and the job list take async functions, some of which have nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      'max-params': ['error', 3],
      'max-lines': ['error', 400],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[object.name="process"][property.name="env"]',
          message: 'Only main.ts and keys.ts hand the environment to config.ts.',
        },
      ],
      'no-control-regex': 'error',
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // Resolver methods take one parameter per GraphQL argument.
    files: ['**/*.resolver.ts'],
    rules: { 'max-params': 'off' },
  },
  {
    // Its libraries are typed for the DOM, which a server does not load: what tsc needs here, the rule cannot see.
    files: ['src/ingestion/parsers/html/document.ts'],
    rules: { '@typescript-eslint/no-unnecessary-type-assertion': 'off' },
  },
  {
    files: [
      'test/**/*.ts',
      'bench/**/*.ts',
      'demo/**/*.ts',
      'examples/**/*.ts',
      'src/main.ts',
      'src/keys.ts',
    ],
    rules: { 'no-restricted-syntax': 'off', 'max-lines-per-function': 'off' },
  },
  {
    // A test reads answers of HTTP, whose shape it is about to check.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      'max-params': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
