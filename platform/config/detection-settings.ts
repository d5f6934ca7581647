import { availableParallelism } from 'node:os';
import { described } from './setting-description.ts';
import { flag, integer } from './setting-schemas.ts';

const MAX_THREADS = 64;
/** Each takes memory, and what goes on beside them needs cores too. */
const USUAL_THREADS = 4;
const MIN_TIMEOUT_MS = 100;
const LONGEST_TIMEOUT_MS = 600_000;

export const DETECTION_SETTINGS = described({
  DETECTION_THREADS: {
    description:
      'Threads of a process in which audits and scans of more than 4,096 characters are searched, so that short ones go on meanwhile. Each starts when it is first needed. 0: they are searched on the event loop, without a deadline.',
    byDefault: '1',
    schema: integer(0, MAX_THREADS).default(1),
  },
  ANALYSIS_THREADS: {
    description:
      'Threads in which an analyzer searches the texts of audits, of all partitions together. 1: on its own event loop, beside everything else that it does. Each takes up to 192 MiB of heap.',
    byDefault: 'one less than there are cores, 1 to 4',
    schema: integer(1, MAX_THREADS).default(() =>
      Math.min(Math.max(1, availableParallelism() - 1), USUAL_THREADS),
    ),
  },
  DETECTION_TIMEOUT_MS: {
    description:
      'Longest search of one audit or scan in such a thread, ms. One that takes longer is given up: the scan is answered with 503, the audit fails with `ANALYSIS_FAILED` and is tried again like any failed analysis.',
    byDefault: '10000',
    schema: integer(MIN_TIMEOUT_MS, LONGEST_TIMEOUT_MS).default(10_000),
  },
  DETECTION_WARM_UP: {
    description:
      'false: patterns are compiled when texts first need them, instead of beforehand in the background. Saves some seconds of CPU at each start, which the first scans then wait for: for machines where processes live for minutes.',
    byDefault: 'true',
    schema: flag().prefault('true'),
  },
});
