import type { EventLog } from '#platform/event-log/port.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import { KeyDestroyed } from '#platform/sealing/port.ts';
import type { Grant } from '#records/auditors/auditors.ts';
import type { EntryMaker } from '#records/changes/ledger-events.ts';
import type { AuditorPermission } from '#schemas/vocabulary.ts';

export interface AccessDependencies {
  readonly log: Pick<EventLog, 'append'>;
  readonly makeEntry: EntryMaker;
  /** Unix ms. */
  readonly now: () => number;
  readonly newId: (at: number) => string;
}

interface Access {
  /** Null: unknown path. */
  readonly permission: AuditorPermission | null;
  /** The operation's path with the ids that it names, and no other client input. */
  readonly path: string;
  readonly isAllowed: boolean;
}

/**
 * Appends the entry of an auditor's call to the customer's ledger. The entry is durable when this resolves; answer
 * nothing before that. If this rejects, the call is refused, and its entry may or may not exist.
 */
export async function recordAccess(
  { log, makeEntry, now, newId }: AccessDependencies,
  { customerId, auditor }: Grant,
  { permission, path, isAllowed }: Access,
): Promise<void> {
  const at = now();
  const entry = await makeEntry({
    kind: 'AUDITOR_ACCESS',
    id: newId(at),
    customerId,
    at: new Date(at).toISOString(),
    core: { auditorId: auditor.id, permission, path, isAllowed },
    detail: { name: auditor.name },
  }).catch((error: unknown) => {
    // The customer was erased while the call was in progress.
    if (error instanceof KeyDestroyed) throw new Refusal('INVALID_AUDITOR_TOKEN', { cause: error });
    throw error;
  });
  const { topic, key, valueBase64, headers } = entry;
  await log.append([{ topic, key, value: Buffer.from(valueBase64, 'base64'), headers }]);
}
