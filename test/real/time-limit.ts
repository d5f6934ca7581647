import { jest } from '@jest/globals';

/** Per test. A limit in a project's configuration is ignored in a run of several projects. */
jest.setTimeout(120_000);
