import type { NoteKey } from '#core/evidence/checkpoint/verifier-key.ts';
import type { World } from '../world/world.ts';

/** The key of the service, as somebody has it who got it by another way. */
export const keysOf = ({ harness }: World): NoteKey[] => {
  const { signingKey, settings } = harness.dependencies;
  return [{ ...signingKey, name: settings.ledgerOrigin }];
};
