import type { NoteKey } from '#core/evidence/checkpoint/verifier-key.ts';
import type { World } from '../world/world.ts';

/** The service's key, as a client that got it through another channel has it. */
export const keysOf = ({ harness }: World): NoteKey[] => {
  const { signingKey, settings } = harness.dependencies;
  return [{ ...signingKey, name: settings.ledgerOrigin }];
};
