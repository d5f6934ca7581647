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
}: World): Promise<string[]> {
  // With an older state its keys may be gone, too; the sinks and the dead letters say so.
  if (restoredAt !== null) return [];
  const keyring = openKeyring({ state: state.state, masterKey });
  const accepted = new Set(promised.audits.map(({ auditId }) => auditId));
  const faults: string[] = [];
  for (const { headers, value } of log.all(TRIPLETS.name)) {
    const auditId = headers.auditId as string;
    if (!accepted.has(auditId)) continue;
    const { customerId, sealed } = codec.decodeTriplet(value);
    try {
      await keyring.open(customerId, 'triplet', auditId, sealed);
    } catch (error) {
      if (!(error instanceof KeyDestroyed)) faults.push(`audit ${auditId}: ${(error as Error).message}`);
    }
  }
  return faults;
}
