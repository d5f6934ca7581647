import {
  ERASURE_POINTS,
  PACKAGE_POINTS,
  POLICIES_POINTS,
  RETENTION_POINTS,
  SIGNAL_ERASURE_POINTS,
} from './points.ts';
import { describeKills } from './rounds.ts';

/** Nothing is written between these points and their neighbours. */
const NEIGHBOURS = ['policies.before-incident', 'policies.after-progress', 'policies.after-commit'];
/** Points of policies, retention and packages, reached by the evidence customer. Patterns: `patterns.test.ts`. */
const evidence = [
  ...POLICIES_POINTS.filter((point) => !NEIGHBOURS.includes(point)),
  ...RETENTION_POINTS,
  ...PACKAGE_POINTS,
  ...SIGNAL_ERASURE_POINTS,
].map((point) => `${point}:1`);
/** Last, because under load the erasures requested in earlier rounds take a minute to get this far. */
const erasures = ERASURE_POINTS.map((point) => `${point}:1`);

describeKills({ light: evidence, random: 2, last: erasures });
