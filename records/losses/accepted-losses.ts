import { type Collection, kept, systemCollection } from '#platform/state/collection.ts';
import { type Documents, SYSTEM_SCOPE } from '#platform/state/port.ts';
import type { LOSS_ACCEPTED_SHAPE } from '#schemas/ledger/evidence-event.v1.ts';
import type { ValuesOf } from '#schemas/ledger/field-types.ts';
import type { Announce, EntryMaker, LedgerEvent } from '../changes/ledger-events.ts';

/** Position of a loss in the log. */
export interface LossPosition {
  readonly epoch: number;
  readonly topic: string;
  readonly partition: number;
  /** The record that cannot be folded, or the first missing one. */
  readonly offset: number;
}

/** An operator's decision to continue without some records. Made once, and never revoked. */
export interface AcceptedLoss extends LossPosition {
  /** First offset after the loss. */
  readonly untilOffset: number;
  /** SHA-256 of the record, hex; '' for a gap. */
  readonly digest: string;
  /** Why the partition had stopped. */
  readonly cause: string;
  /** Free text by the operator. */
  readonly reason: string;
  /** ISO 8601. */
  readonly acceptedAt: string;
  readonly acceptedBy: string;
  /** Its ledger entry; null: the owning customer is unknown. */
  readonly entryId: string | null;
}

export const ACCEPTED_LOSSES = 'acceptedLosses';
export const LOSS_COLLECTIONS: readonly Collection[] = [
  systemCollection(ACCEPTED_LOSSES, kept('positions of the log, and what an operator says about them')),
];

const refOf = ({ epoch, topic, partition, offset }: LossPosition) => ({
  scope: SYSTEM_SCOPE,
  collection: ACCEPTED_LOSSES,
  id: `${epoch}:${topic}:${partition}:${offset}`,
});

export async function acceptedLoss(
  documents: Pick<Documents, 'get'>,
  position: LossPosition,
): Promise<AcceptedLoss | null> {
  return (await documents.get<AcceptedLoss>(refOf(position)))?.value ?? null;
}

/** All losses ever accepted. There are few, because an operator accepted each one. */
export async function acceptedLosses(documents: Pick<Documents, 'list'>): Promise<AcceptedLoss[]> {
  return (await documents.list<AcceptedLoss>(SYSTEM_SCOPE, ACCEPTED_LOSSES)).map(({ value }) => value);
}

/**
 * Writes the decision and its ledger entry in one write; the consumer stopped at this position acts on it. A repeat for
 * the same position changes nothing and returns the first decision. `customerId`: whose ledger gets the entry.
 */
export async function acceptLoss(
  dependencies: {
    readonly documents: Documents;
    readonly makeEntry: EntryMaker;
    readonly announce: Announce;
  },
  loss: Omit<AcceptedLoss, 'entryId'>,
  customerId: string | null,
): Promise<AcceptedLoss> {
  const { documents, makeEntry, announce } = dependencies;
  const ref = refOf(loss);
  const before = await acceptedLoss(documents, loss);
  if (before === null) {
    const entries = customerId === null ? [] : [await makeEntry(lossEvent(customerId, loss))];
    const value: AcceptedLoss = { ...loss, entryId: entries[0]?.entryId ?? null };
    const write = { collection: ref.collection, id: ref.id, expectedVersion: 0, value, entries };
    await documents.write(ref.scope, [write]);
  }
  // Also after a crash before the entry was appended, or a lost race.
  announce(ref);
  const decided = await acceptedLoss(documents, loss);
  if (decided === null) throw new Error('an accepted loss is missing right after it was written');
  return decided;
}

/** The operator's words and name are personal, so they go into the sealed detail. */
function lossEvent(customerId: string, loss: Omit<AcceptedLoss, 'entryId'>): LedgerEvent {
  const { epoch, topic, partition, offset, untilOffset, digest, cause, acceptedAt } = loss;
  const core: ValuesOf<typeof LOSS_ACCEPTED_SHAPE.core> = {
    type: 'LOSS_ACCEPTED',
    epoch,
    topic,
    partition,
    offset,
    untilOffset,
    digest,
    cause,
    at: acceptedAt,
  };
  return {
    kind: 'EVIDENCE_EVENT',
    id: `loss:${refOf(loss).id}`,
    customerId,
    at: acceptedAt,
    core,
    detail: { reason: loss.reason, actor: loss.acceptedBy },
  };
}
