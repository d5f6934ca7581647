import { bundledCodec } from '#platform/codec/bundled.ts';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { KeyDestroyed } from '#platform/sealing/port.ts';
import { TRIPLETS } from '#schemas/topics.ts';
import type { World } from '../world-of-run.ts';

const codec = bundledCodec();

/**
 * Every accepted text can be opened with the keys in the state, unless its key was destroyed on purpose. One of several
 * records of an audit is enough: a record in flight during a restore of an older state may arrive in addition to the
 * one that the repeated request sealed with a new key.
 */
export async function openableFaults({
  log,
  state,
  masterKey,
  promised,
  restoredAt,
}: World): Promise<string[]> {
  // An older state may lack keys created later; sinks and dead letters report that.
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
