import { looseDraft } from '#core/evidence/testing/loose-draft.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import type { StoredRecord } from '#platform/event-log/port.ts';
import type { LedgerDraft, LedgerEntry } from '#schemas/events/events.ts';
import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import type { SignalCore, SignalDetail } from '#schemas/ledger/signal.v1.ts';
import { LEDGER, PARTITIONS } from '#schemas/topics.ts';
import { LEDGER_KINDS, type LedgerKind } from '#schemas/vocabulary.ts';
import type { OpenedDetail } from '../fold/ledger-record.ts';

/** Test records of `audit.ledger`. Their value is JSON with the detail unsealed. */

/** The n-th customer id whose key maps to a partition. */
export function customerIn(partition: number, n = 0): string {
  for (let i = 0, found = 0; ; i += 1) {
    const customerId = `0190cccc-0000-7000-8000-${i.toString(16).padStart(12, '0')}`;
    if (partitionOf(customerId, PARTITIONS) === partition && found++ === n) return customerId;
  }
}

export const auditIdOf = (n: number): string => `0190aaaa-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
export const timeAt = (n: number): string => new Date(Date.UTC(2026, 10, 1) + n * 1_001).toISOString();

export const signalCore = (n: number, change: Partial<SignalCore> = {}): SignalCore => ({
  auditId: auditIdOf(n),
  sandboxId: 'sandbox-1',
  sandboxSlug: 'support_chat',
  provider: 'openai',
  model: 'gpt-4o',
  region: 'EU',
  riskLevel: 'HIGH',
  violations: ['EMAIL'],
  regulation: ['GDPR'],
  piiDetected: true,
  confidence: 0.95,
  alert: true,
  policyVersion: '1.1.0.0',
  source: 'INGEST',
  attempts: 1,
  promptTokens: 10 + n,
  outputTokens: null,
  hasThinkingBlock: false,
  durationMs: 3.5,
  acceptedAt: timeAt(n),
  createdAt: timeAt(n + 1),
  ...change,
});

export const signalDetail = (n: number): SignalDetail => ({
  reasoning: `masked e-mail in text ${n}`,
  detections: [{ code: 'EMAIL', detector: 'email', version: 1, count: 1 }],
  payloadDigest: 'cd'.repeat(32),
});

export const erasureCore = (change: Partial<ErasureCore> = {}): ErasureCore => ({
  ranges: [],
  kinds: [...LEDGER_KINDS],
  scope: 'ALL',
  reason: 'DATA_SUBJECT_REQUEST',
  basis: null,
  policyId: null,
  closing: false,
  ...change,
});

/** `salt` makes drafts with the same id differ, as two analyses of one audit do. */
export function draftOf(
  customerId: string,
  kind: LedgerKind,
  n: number,
  core?: object,
  salt = n,
): LedgerDraft {
  const isSignal = kind === 'SIGNAL';
  return looseDraft({
    kind,
    id: isSignal ? auditIdOf(n) : `${kind.toLowerCase()}-${n}`,
    customerId,
    // A signal's time is part of its core too, and the two must agree.
    at: (core as Partial<SignalCore> | undefined)?.createdAt ?? timeAt(n + 1),
    core: core ?? (isSignal ? signalCore(n) : kind === 'ERASURE' ? erasureCore() : { number: n }),
    detail: isSignal ? signalDetail(n) : { actor: `person ${n}` },
    coreSalt: Buffer.alloc(32, salt % 251),
    detailSalt: Buffer.alloc(32, (salt + 7) % 251),
  });
}

/** Headers of the audit that a signal draft belongs to. */
export function headersOf(draft: LedgerDraft): Record<string, string> {
  if (draft.kind !== 'SIGNAL') return {};
  const { auditId, sandboxId, sandboxSlug, provider, model, acceptedAt, source } = JSON.parse(
    draft.core,
  ) as SignalCore;
  const about = {
    auditId,
    customerId: draft.customerId,
    sandboxId,
    sandboxSlug,
    provider,
    model,
    acceptedAt,
  };
  const steps = JSON.stringify([{ name: 'ACCEPTED', at: acceptedAt }]);
  return { ...about, source, generation: '0', attempt: '1', schema: 'x', steps };
}

export function storedRecord(
  draft: LedgerDraft,
  offset: number,
  change: Partial<StoredRecord> = {},
): StoredRecord {
  const { detail: json, detailSalt, ...entry } = draft;
  const value = Object.fromEntries(
    Object.entries({ ...entry, detailSalt, json }).map(([name, part]) => [
      name,
      Buffer.isBuffer(part) ? part.toString('hex') : part,
    ]),
  );
  return {
    topic: LEDGER.name,
    partition: partitionOf(draft.customerId, PARTITIONS),
    offset,
    key: draft.customerId,
    headers: headersOf(draft),
    value: Buffer.from(JSON.stringify(value)),
    timestamp: Date.UTC(2026, 10, 2) + offset,
    ...change,
  };
}

/** Inverse of `storedRecord`; the opened detail is stored in `ciphertext`. */
export function decodeLedgerEntry(value: Buffer): LedgerEntry {
  const read = JSON.parse(value.toString('utf8')) as Record<string, string>;
  const bytes = (name: string): Buffer => Buffer.from(read[name]!, 'hex');
  return {
    v: Number(read.v),
    kind: read.kind as LedgerKind,
    id: read.id!,
    customerId: read.customerId!,
    at: read.at!,
    coreSalt: bytes('coreSalt'),
    core: read.core!,
    coreHash: bytes('coreHash'),
    detailHash: bytes('detailHash'),
    detail: {
      kekId: 'kek-1',
      wrappedKey: Buffer.alloc(0),
      iv: Buffer.alloc(0),
      ciphertext: Buffer.concat([bytes('detailSalt'), Buffer.from(read.json!)]),
    },
  };
}

export const openDetail = async ({ detail }: LedgerEntry): Promise<OpenedDetail> => ({
  salt: detail.ciphertext.subarray(0, 32),
  json: detail.ciphertext.toString('utf8', 32),
});

/** A stored record as the sink opens it before the fold. */
export async function opened(source: StoredRecord) {
  const entry = decodeLedgerEntry(source.value);
  const { partition, offset, key, headers } = source;
  return { partition, offset, key, headers, entry, detail: await openDetail(entry) };
}
