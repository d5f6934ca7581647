import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Run like unit tests: compiled, in plain Node. Separate, because their queries to the embedded engine take as long as
 * all unit tests.
 */
export default {
  ...JSON.parse(readFileSync(new URL('../../jest.config.json', import.meta.url), 'utf8')),
  rootDir,
  testMatch: ['<rootDir>/{platform,records,services}/**/*.warehouse.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/'],
};
