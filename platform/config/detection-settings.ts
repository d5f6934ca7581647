import { availableParallelism } from 'node:os';
import { described } from './setting-description.ts';
import { flag, integer } from './setting-schemas.ts';

const MAX_THREADS = 64;
/** Each takes memory, and other work needs cores too. */
const USUAL_THREADS = 4;
const MIN_TIMEOUT_MS = 100;
const LONGEST_TIMEOUT_MS = 600_000;

export const DETECTION_SETTINGS = described({
  DETECTION_THREADS: {
    description:
      'Threads per process for audits and scans of more than 4,096 characters, so that short ones do not have to wait. Threads start when first needed. 0: use the event loop, without a time limit.',
    byDefault: '1',
    schema: integer(0, MAX_THREADS).default(1),
  },
  ANALYSIS_THREADS: {
    description:
      'Threads per analyzer that search the texts of audits, for all partitions together. 1: use the event loop. Each thread uses up to 192 MiB of heap.',
    byDefault: 'number of cores minus one, from 1 to 4',
    schema: integer(1, MAX_THREADS).default(() =>
      Math.min(Math.max(1, availableParallelism() - 1), USUAL_THREADS),
    ),
  },
  DETECTION_TIMEOUT_MS: {
    description:
      'Maximum time to search the texts of one audit or scan of more than 4,096 characters, in ms. After that, a scan returns 503, and an audit fails with `ANALYSIS_FAILED` and is retried like any failed analysis.',
    byDefault: '10000',
    schema: integer(MIN_TIMEOUT_MS, LONGEST_TIMEOUT_MS).default(10_000),
  },
  DETECTION_WARM_UP: {
    description:
      'false: compile patterns when they are first needed, instead of in the background at start. Saves some seconds of CPU per start, but slows down the first scans. Useful where processes only live for minutes.',
    byDefault: 'true',
    schema: flag().prefault('true'),
  },
});
