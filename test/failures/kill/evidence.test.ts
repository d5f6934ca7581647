import {
  ERASURE_CRASH_POINTS,
  PACKAGE_CRASH_POINTS,
  RETENTION_CRASH_POINTS,
  SIGNAL_ERASURE_CRASH_POINTS,
} from '#services/api/operations/crash-points.ts';
import { CORRELATOR_CRASH_POINTS } from '#services/correlator/folded/crash-points.ts';
import { ERASURE_CRASH_POINTS as SINK_ERASURE_CRASH_POINTS } from '#services/sink/flush/crash-points.ts';
import { describeKills } from './rounds.ts';

/** Between these and the points that follow or precede them nothing is written. */
const NEIGHBOURS = ['policies.before-incident', 'policies.after-progress', 'policies.after-commit'];
/** Of policies, retention and packages: reached by the customer whose evidence is worked on. Patterns: `patterns.test.ts`. */
const evidence = [
  ...CORRELATOR_CRASH_POINTS.filter((point) => point.startsWith('policies.') && !NEIGHBOURS.includes(point)),
  ...RETENTION_CRASH_POINTS,
  ...PACKAGE_CRASH_POINTS,
  ...SIGNAL_ERASURE_CRASH_POINTS,
].map((point) => `${point}:1`);
/** Last: under load the erasures requested in earlier rounds take a minute to get this far. */
const erasures = [...ERASURE_CRASH_POINTS, ...SINK_ERASURE_CRASH_POINTS].map((point) => `${point}:1`);

describeKills({ light: evidence, random: 2, last: erasures });
