import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

/** As unit tests run: compiled, in plain Node. What they ask of the embedded engine takes as long as all of those. */
export default {
  ...JSON.parse(readFileSync(new URL('../../jest.config.json', import.meta.url), 'utf8')),
  rootDir,
  testMatch: ['<rootDir>/{platform,records,services}/**/*.warehouse.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/'],
};
