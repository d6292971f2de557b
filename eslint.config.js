import js from '@eslint/js'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['dist', 'prisma/generated', 'client/generated', '.local'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // A parameter list says what a function is called with, used or not; a leading underscore marks the unused ones.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // `for (;;)` and `while (true)` loops end by return or throw here, and say so.
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      // The compiler requires brackets for index signatures (noPropertyAccessFromIndexSignature).
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Numbers are safe in templates; everything else is still asked to be made a string first.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='Prisma'][property.name=/^(sql|join)$/]",
          message:
            'Use sql`…` and joined() of core/platform/sql.ts, which take no arrays and no times as they are.',
        },
        {
          selector:
            ':matches(ObjectExpression > SpreadElement > ObjectExpression, ArrayExpression > SpreadElement > ArrayExpression, SpreadElement > TSAsExpression > ArrayExpression)',
          message: 'Write it out: a spread of a literal only keeps the formatter from breaking lines.',
        },
      ],
    },
  },
  {
    // The owner of the tag.
    files: ['core/platform/sql.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // Chai's assertions are property accesses.
    files: ['test/**'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
  {
    // They run also when the hook before them skipped or failed half-way, and then undo what was never done.
    files: ['test/**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'after', message: 'Use atEndOfSuite() of test/support/at-end.ts.' },
        { name: 'afterEach', message: 'Use atEndOfTest() of test/support/at-end.ts.' },
      ],
    },
  },
  {
    // Programs that speak to a person at a terminal; services log.
    files: [
      'local/**',
      'bench/**',
      'docs/**',
      'tools/**',
      'test/run-*.ts',
      'test/support/servers.ts',
      '**/main.ts',
      'prisma/migrate.ts',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['*.js', 'local/*.mjs', 'tools/**/*.mjs', 'test/support/*.mjs', 'bench/neighbours/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { Buffer: 'readonly', console: 'readonly', process: 'readonly' } },
  },
  { files: ['tools/**/*.mjs'], rules: { 'no-console': 'off' } },
)
