import { canonicalJson } from '../../../core/evidence/canonical-json.ts';
import { CHAIN_START, chainHash, dataHash, leafHash } from '../../../core/evidence/hashing.ts';
import { entryIdOf } from '../../../schemas/events/events.ts';
import type { EntryRow, LedgerIdRow, LedgerRow, SignalRow } from '../../../schemas/tables/tables.ts';
import { type CheckedEntry, signalCoreOf, signalDetailOf } from './ledger-record.ts';

/** End of a customer's chain below a position. */
export interface Head {
  readonly index: number;
  /** Lower-case hex. */
  readonly hash: string;
  /** True once a closing ERASURE was folded: every later entry folds blank. */
  readonly closed: boolean;
}

/** An entry's place in the chain of its customer. */
export type LinkedEntry = Readonly<LedgerRow>;

/** Gives a checked entry the index after `head` and links it there: the row of `ledger`. */
export function linkEntry(
  { entry, record }: CheckedEntry,
  head: Head | undefined,
  epoch: number,
): LinkedEntry {
  const { v, kind, id, customerId, at } = entry;
  const index = head === undefined ? 0 : head.index + 1;
  const previous = head === undefined ? CHAIN_START : Buffer.from(head.hash, 'hex');
  const data = dataHash(entry.coreHash, entry.detailHash).toString('hex');
  const leaf = leafHash({ v, kind, customerId, index, id, at, dataHash: data });
  return {
    customerId,
    index,
    entryId: entryIdOf(kind, id),
    kind,
    id,
    v,
    at,
    dataHash: data,
    coreHash: entry.coreHash.toString('hex'),
    detailHash: entry.detailHash.toString('hex'),
    leafHash: leaf.toString('hex'),
    previousHash: previous.toString('hex'),
    hash: chainHash(previous, leaf).toString('hex'),
    epoch,
    partition: record.partition,
    offset: record.offset,
  };
}

export const idRow = ({
  customerId,
  entryId,
  index,
  epoch,
  partition,
  offset,
}: LinkedEntry): LedgerIdRow => ({
  customerId,
  entryId,
  index,
  epoch,
  partition,
  offset,
});

/** What a content row takes over from its entry's place. */
function placed({ customerId, index, v, previousHash, hash, epoch, partition, offset }: LinkedEntry) {
  return { customerId, index, v, previousHash, hash, epoch, partition, offset };
}

/**
 * Content row of a SIGNAL, version 1. Without its detail (the key was destroyed) these columns are blank. Written out
 * without a spread: it is made for every record, and the engine builds a plain literal several times as fast.
 */
export function signalRow(checked: CheckedEntry, linked: LinkedEntry): SignalRow {
  const core = signalCoreOf(checked);
  const detail = signalDetailOf(checked);
  return {
    customerId: linked.customerId,
    index: linked.index,
    v: linked.v,
    previousHash: linked.previousHash,
    hash: linked.hash,
    epoch: linked.epoch,
    partition: linked.partition,
    offset: linked.offset,
    revision: 0,
    erased: detail === null ? 'DETAIL' : '',
    createdAt: core.createdAt,
    auditId: core.auditId,
    sandboxId: core.sandboxId,
    sandboxSlug: core.sandboxSlug,
    provider: core.provider,
    model: core.model,
    region: core.region,
    riskLevel: core.riskLevel,
    violations: [...core.violations],
    regulation: [...core.regulation],
    piiDetected: core.piiDetected,
    confidence: core.confidence,
    alert: core.alert,
    policyVersion: core.policyVersion,
    source: core.source,
    attempts: core.attempts,
    promptTokens: core.promptTokens,
    outputTokens: core.outputTokens,
    hasThinkingBlock: core.hasThinkingBlock,
    durationMs: core.durationMs,
    acceptedAt: core.acceptedAt,
    coreSalt: checked.entry.coreSalt.toString('hex'),
    reasoning: detail?.reasoning ?? null,
    detections: canonicalJson(detail?.detections ?? []),
    payloadDigest: detail?.payloadDigest ?? null,
    detailSalt: checked.detailSalt,
  };
}

/** Content row of an entry of any other kind, version 1. */
export function entryRow(checked: CheckedEntry, linked: LinkedEntry): EntryRow {
  const { entry, detail } = checked;
  return {
    ...placed(linked),
    revision: 0,
    erased: detail === null ? 'DETAIL' : '',
    kind: entry.kind,
    id: entry.id,
    at: entry.at,
    core: entry.core,
    coreSalt: entry.coreSalt.toString('hex'),
    detail: detail === null ? null : canonicalJson(detail),
    detailSalt: checked.detailSalt,
  };
}
