import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const suite = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
/** As a project of one run, where the number of workers and the time limit are everybody's. */
const project = ({ maxWorkers, testTimeout, ...rest }) => ({ ...rest, rootDir });

const failures = suite('failures-of-the-service.json');
const real = suite('real.json');

/** Beside the failures of the whole service those of single parts, which need real servers to kill. */
const realFailures = {
  ...project(real),
  testMatch: ['<rootDir>/{platform,records,services,app}/**/{,*-}failures.real.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/'],
};

export default {
  rootDir,
  projects: [project(failures), realFailures],
  maxWorkers: failures.maxWorkers,
  testTimeout: failures.testTimeout,
};
