import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
/** Without the option that jest only accepts once for all projects. */
const { maxWorkers: _, ...real } = JSON.parse(readFileSync(new URL('real.json', import.meta.url), 'utf8'));

const OF_THE_SERVICE = {
  rootDir,
  preset: './test/jest-preset.json',
  testMatch: ['<rootDir>/test/failures/**/*.test.ts'],
};

/** Failures of single dependencies, with real servers to kill. */
const OF_DEPENDENCIES = {
  ...real,
  rootDir,
  testMatch: ['<rootDir>/{platform,records,services,app}/**/{,*-}failures.real.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/'],
};

export default {
  rootDir,
  projects: [OF_THE_SERVICE, OF_DEPENDENCIES],
  testSequencer: '<rootDir>/test/longest-first.mjs',
  // One more than the cores: these tests mostly wait for timeouts, elections and starts.
  maxWorkers: 3,
  testTimeout: 1_200_000,
};
