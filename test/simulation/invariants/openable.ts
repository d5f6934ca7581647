import { bundledCodec } from '../../../platform/codec/bundled.ts';
import { openKeyring } from '../../../platform/sealing/keyring.ts';
import { KeyDestroyed } from '../../../platform/sealing/port.ts';
import { TRIPLETS } from '../../../schemas/topics.ts';
import type { World } from '../world.ts';

const codec = bundledCodec();

/** Every text that was accepted opens with the keys that the state holds, unless its key was destroyed on purpose. */
export async function openableFaults({
  log,
  state,
  masterKey,
  promised,
  restoredAt,
  now,
  wall,
}: World): Promise<string[]> {
  // With an older state keys may be gone that were made since; the sinks and the dead letters say so.
  const sinceMs = restoredAt === null ? 0 : wall() - now() + restoredAt;
  const keyring = openKeyring({ state: state.state, masterKey });
  const accepted = new Set(promised.audits.map(({ auditId }) => auditId));
  const faults: string[] = [];
  for (const { headers, value, timestamp } of log.all(TRIPLETS.name)) {
    const auditId = headers.auditId as string;
    if (!accepted.has(auditId) || timestamp <= sinceMs) continue;
    const { customerId, sealed } = codec.decodeTriplet(value);
    try {
      await keyring.open(customerId, 'triplet', auditId, sealed);
    } catch (error) {
      if (!(error instanceof KeyDestroyed)) faults.push(`audit ${auditId}: ${(error as Error).message}`);
    }
  }
  return faults;
}
