import type { Attack } from './attack.ts';
import { BODY_ATTACKS, LARGE_BODY_ATTACKS } from './attacks/bodies.ts';
import { CONNECTION_ATTACKS } from './attacks/connections.ts';
import { FLOOD_ATTACKS } from './attacks/floods.ts';
import { READ_ATTACKS } from './attacks/reads.ts';
import { WRITE_ATTACKS } from './attacks/writes.ts';

/** Every attack, in order. */
export const ATTACKS: readonly Attack[] = [
  ...BODY_ATTACKS,
  ...FLOOD_ATTACKS,
  ...READ_ATTACKS,
  ...WRITE_ATTACKS,
  ...CONNECTION_ATTACKS,
  ...LARGE_BODY_ATTACKS,
];
