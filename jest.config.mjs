import { availableParallelism, totalmem } from 'node:os';

// Four take seventy of the hundred connections of a native Postgres.
const workersMax = 4;
const workerBytes = 4 * 1024 ** 3;
const workers = Math.min(workersMax, availableParallelism(), Math.floor(totalmem() / workerBytes));

// Tests are TypeScript; the code under test is dist/, the very files that `npm start` runs.
export default {
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  testEnvironmentOptions: { globalsCleanup: 'off' },
  rootDir: '.',
  // Not in the temporary folder, which may be memory (scripts/temporary-folder.mjs).
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    // The server's code, packages that tests must have the very copy of that it uses, and what all test files of a worker share.
    '/dist/(?:src|rest-compat)/|/test/support/(?:packages|shared)/':
      '<rootDir>/test/support/shared-modules.mjs',
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  moduleNameMapper: {
    '^(graphql|pg|zod)$': '<rootDir>/test/support/packages/$1.mjs',
    '^(?:\\.{1,2}/)+((?:src|rest-compat)/.*)\\.js$': '<rootDir>/dist/$1.js',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // A busy host may stand still for half a minute.
  testTimeout: 120_000,
  maxWorkers: Math.max(2, workers),
  workerIdleMemoryLimit: '1500MB',
};
