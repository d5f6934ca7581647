import { readFileSync } from 'node:fs';

const suite = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
/** As a project of one run, where the number of workers and the time limit are everybody's. */
const project = ({ maxWorkers, testTimeout, ...rest }) => rest;

const embedded = suite('jest.config.json');

export default {
  projects: [project(embedded), project(suite('jest.real.json'))],
  testSequencer: '<rootDir>/test/real/embedded-first.mjs',
  maxWorkers: embedded.maxWorkers,
  testTimeout: embedded.testTimeout,
};
