import { bundledCodec } from '../../../platform/codec/bundled.ts';
import { openKeyring } from '../../../platform/sealing/keyring.ts';
import { KeyDestroyed } from '../../../platform/sealing/port.ts';
import { TRIPLETS } from '../../../schemas/topics.ts';
import type { World } from '../world.ts';

const codec = bundledCodec();

/**
 * Every text that was accepted opens with the keys that the state holds, unless its key was destroyed on purpose. Of
 * several records of an audit one is enough: what was on its way when an older state was restored may arrive beside what
 * the repeat of its request sealed with a new key.
 */
export async function openableFaults({
  log,
  state,
  masterKey,
  promised,
  restoredAt,
}: World): Promise<string[]> {
  // With an older state keys may be gone that were made since; the sinks and the dead letters say so.
  const sinceMs = restoredAt ?? Number.NEGATIVE_INFINITY;
  const accepted = new Set(
    promised.audits.filter(({ atMs }) => atMs > sinceMs).map(({ auditId }) => auditId),
  );
  const keyring = openKeyring({ state: state.state, masterKey });
  const whyClosed = new Map<string, string>();
  const opened = new Set<string>();
  for (const { headers, value } of log.all(TRIPLETS.name)) {
    const auditId = headers.auditId as string;
    if (!accepted.has(auditId)) continue;
    const { customerId, sealed } = codec.decodeTriplet(value);
    try {
      await keyring.open(customerId, 'triplet', auditId, sealed);
      opened.add(auditId);
    } catch (error) {
      if (error instanceof KeyDestroyed) opened.add(auditId);
      else whyClosed.set(auditId, (error as Error).message);
    }
  }
  return [...whyClosed]
    .filter(([auditId]) => !opened.has(auditId))
    .map(([auditId, why]) => `audit ${auditId}: ${why}`);
}
