import { jest } from '#jest';

/** Per test. A limit in a project's configuration is ignored in a run of several projects. */
jest.setTimeout(120_000);
