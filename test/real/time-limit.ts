import { jest } from '@jest/globals';

/** Of one test. A limit in the configuration of a project is not heeded in a run of several projects. */
jest.setTimeout(120_000);
