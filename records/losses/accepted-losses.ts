import { type Collection, kept, systemCollection } from '#platform/state/collection.ts';
import { type Documents, SYSTEM_SCOPE } from '#platform/state/port.ts';
import type { LOSS_ACCEPTED_SHAPE } from '#schemas/ledger/evidence-event.v1.ts';
import type { ValuesOf } from '#schemas/ledger/field-types.ts';
import type { Announce, EntryMaker, LedgerEvent } from '../changes/ledger-events.ts';

/** Where in the log something is lost. */
export interface LossPlace {
  readonly epoch: number;
  readonly topic: string;
  readonly partition: number;
  /** The record that cannot be folded, or the first one that is missing. */
  readonly offset: number;
}

/** An operator's decision that the service continues without some records. Made once, and never revoked. */
export interface AcceptedLoss extends LossPlace {
  /** First offset that is not lost. */
  readonly untilOffset: number;
  /** SHA-256 of the record, hex; '' for a hole. */
  readonly digest: string;
  /** What had stopped the partition. */
  readonly cause: string;
  /** Free text of the operator. */
  readonly reason: string;
  /** ISO 8601. */
  readonly acceptedAt: string;
  readonly acceptedBy: string;
  /** The ledger entry about it; null: no customer is known who owns it. */
  readonly entryId: string | null;
}

export const ACCEPTED_LOSSES = 'acceptedLosses';
export const LOSS_COLLECTIONS: readonly Collection[] = [
  systemCollection(ACCEPTED_LOSSES, kept('positions of the log, and what an operator says about them')),
];

const refOf = ({ epoch, topic, partition, offset }: LossPlace) => ({
  scope: SYSTEM_SCOPE,
  collection: ACCEPTED_LOSSES,
  id: `${epoch}:${topic}:${partition}:${offset}`,
});

export async function acceptedLoss(
  documents: Pick<Documents, 'get'>,
  place: LossPlace,
): Promise<AcceptedLoss | null> {
  return (await documents.get<AcceptedLoss>(refOf(place)))?.value ?? null;
}

/** All that were ever accepted. Each was typed by a person, so there are few. */
export async function acceptedLosses(documents: Pick<Documents, 'list'>): Promise<AcceptedLoss[]> {
  return (await documents.list<AcceptedLoss>(SYSTEM_SCOPE, ACCEPTED_LOSSES)).map(({ value }) => value);
}

/**
 * Writes the decision together with its ledger entry, in one write; the consumer that is stopped at this place acts on
 * it. Repeated for the same place it changes nothing and returns the first decision. `customerId`: whose ledger gets
 * the entry.
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
  // Also after a crash before the entry was appended, and after a lost race.
  announce(ref);
  const decided = await acceptedLoss(documents, loss);
  if (decided === null) throw new Error('an accepted loss is missing right after it was written');
  return decided;
}

/** The operator's words and name are personal, so they are sealed. */
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
