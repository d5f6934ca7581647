import { jest } from '#jest';

/** Per test. A project's limit is ignored in a run with several projects. */
jest.setTimeout(120_000);
