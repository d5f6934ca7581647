import { entryIdOf, type LedgerDraft } from '#schemas/events/events.ts';
import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import type { SignalCore, SignalDetail } from '#schemas/ledger/signal.v1.ts';
import { BLANK_CORE, BLANK_DETAIL } from '#schemas/ledger/signal-columns.ts';
import type { EntryRow, LedgerRow, SignalRow } from '#schemas/tables/tables.ts';
import { LEDGER_KINDS, type LedgerKind } from '#schemas/vocabulary.ts';
import { CHAIN_START, chainHash, dataHash, leafHash } from '../hashing.ts';
import { looseDraft } from './loose-draft.ts';

/** Chains for tests, built row by row as stored in the tables, independently of the sink's fold. */

export const CUSTOMER = '0190aaaa-0000-7000-8000-000000000001';
export const EPOCH = 1;
export const PARTITION = 5;

export interface StoredRows {
  ledger: LedgerRow[];
  signals: SignalRow[];
  entries: EntryRow[];
}

/** Base of every row: version 1's values for the columns of later versions. */
const BLANKS = { ...BLANK_CORE, ...BLANK_DETAIL } as unknown as SignalRow;

const hex = (value: Buffer): string => value.toString('hex');
export const timeOf = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 1_234).toISOString();
export const saltOf = (index: number, part: number): Buffer => Buffer.alloc(32, index * 2 + part + 1);
const uuid = (index: number): string => `0190bbbb-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;

export function sampleDetail(index: number): SignalDetail {
  const detections: SignalDetail['detections'] = [
    { code: 'EMAIL', detector: 'email', version: 1, count: index + 1 },
    { code: 'CUSTOM_RULE', detector: 'custom-rules', version: 1, count: 1, ruleIndex: 0 },
  ];
  return { reasoning: `masked j***@x.org in "${index}"\n`, detections, payloadDigest: 'ab'.repeat(32) };
}

export function sampleCore(index: number): SignalCore {
  return {
    auditId: uuid(index),
    sandboxId: uuid(100_000 + index),
    sandboxSlug: 'support_chat',
    provider: 'openai',
    model: 'gpt-4o',
    region: 'EU',
    riskLevel: 'HIGH',
    violations: ['EMAIL', 'CUSTOM_RULE'],
    regulation: ['GDPR'],
    piiDetected: true,
    confidence: 0.9 + index / 1e6,
    alert: true,
    policyVersion: '3.1.0.0',
    source: 'INGEST',
    attempts: 1,
    promptTokens: 120 + index,
    outputTokens: 42,
    hasThinkingBlock: false,
    durationMs: 12.25 + index,
    acceptedAt: timeOf(index - 1),
    createdAt: timeOf(index),
  };
}

export const sampleErasure = (change: Partial<ErasureCore> = {}): ErasureCore => ({
  ranges: [[0, 0]],
  kinds: [...LEDGER_KINDS],
  scope: 'ALL',
  reason: 'DATA_SUBJECT_REQUEST',
  basis: null,
  policyId: null,
  closing: false,
  ...change,
});

export function sampleDraft(index: number, kind: LedgerKind, core?: object): LedgerDraft {
  const isSignal = kind === 'SIGNAL';
  const ownCore = kind === 'ERASURE' ? sampleErasure() : { action: 'made', number: index };
  return looseDraft({
    kind,
    id: uuid(index),
    customerId: CUSTOMER,
    at: timeOf(index),
    core: core ?? (isSignal ? sampleCore(index) : ownCore),
    detail: isSignal ? sampleDetail(index) : { actor: `person-${index}` },
    coreSalt: saltOf(index, 0),
    detailSalt: saltOf(index, 1),
  });
}

/**
 * Rows of the drafts in this order: index i has offset 10 i in the customer's partition. `before`: the entry before the
 * first one.
 */
export function storedRows(
  drafts: readonly LedgerDraft[],
  offsetOf = (index: number) => index * 10,
  before?: Pick<LedgerRow, 'index' | 'hash'>,
): StoredRows {
  const rows: StoredRows = { ledger: [], signals: [], entries: [] };
  const first = before === undefined ? 0 : before.index + 1;
  let previous = before === undefined ? CHAIN_START : Buffer.from(before.hash, 'hex');
  for (const [entry, draft] of drafts.entries()) {
    const index = first + entry;
    const { v, kind, id, customerId, at } = draft;
    const data = hex(dataHash(draft.coreHash, draft.detailHash));
    const leaf = leafHash({ v, kind, customerId, index, id, at, dataHash: data });
    const hash = chainHash(previous, leaf);
    const position = {
      customerId,
      index,
      v,
      previousHash: hex(previous),
      hash: hex(hash),
      epoch: EPOCH,
      partition: PARTITION,
      offset: offsetOf(index),
    };
    rows.ledger.push({
      ...position,
      entryId: entryIdOf(kind, id),
      kind,
      id,
      at,
      dataHash: data,
      coreHash: hex(draft.coreHash),
      detailHash: hex(draft.detailHash),
      leafHash: hex(leaf),
    });
    const salts = { coreSalt: hex(draft.coreSalt), detailSalt: hex(draft.detailSalt) };
    const content = { ...position, ...salts, revision: 0, erased: '' };
    if (kind === 'SIGNAL') {
      const { detections, ...detail } = JSON.parse(draft.detail) as SignalDetail;
      const core = JSON.parse(draft.core) as SignalCore;
      const listed = { violations: [...core.violations], regulation: [...core.regulation] };
      rows.signals.push({
        ...BLANKS,
        ...content,
        ...core,
        ...listed,
        ...detail,
        detections: draft.detail.slice('{"detections":'.length, draft.detail.indexOf(',"payloadDigest"')),
      });
      if (detections.length === 0) throw new Error('a sample has detections');
    } else {
      rows.entries.push({ ...content, kind, id, at, core: draft.core, detail: draft.detail });
    }
    previous = hash;
  }
  return rows;
}

/** An entry after an erasure of this index. */
export const blankedEntry = (row: EntryRow, scope: 'ALL' | 'DETAIL', revision: number): EntryRow => ({
  ...row,
  detail: null,
  detailSalt: '',
  ...(scope === 'ALL' ? { core: null, coreSalt: '' } : {}),
  revision,
  erased: scope,
  offset: revision * 10,
});

/** A signal after an erasure at `revision` (the index of the ERASURE). */
export function blanked(row: SignalRow, scope: 'ALL' | 'DETAIL', revision: number): SignalRow {
  const position = { revision, erased: scope, offset: revision * 10 };
  const detail = { reasoning: null, detections: '[]', payloadDigest: null, detailSalt: '' };
  if (scope === 'DETAIL') return { ...row, ...detail, ...position };
  const { customerId, createdAt, auditId, v, acceptedAt, index, previousHash, hash, epoch, partition } = row;
  const kept = { customerId, createdAt, auditId, v, acceptedAt, index, previousHash, hash, epoch, partition };
  const texts = {
    sandboxId: '',
    sandboxSlug: '',
    provider: '',
    model: '',
    region: '',
    riskLevel: '',
    source: '',
  };
  const numbers = { confidence: 0, attempts: 0, durationMs: 0, promptTokens: null, outputTokens: null };
  const rest = { violations: [], regulation: [], policyVersion: null, coreSalt: '' };
  const flags = { piiDetected: false, alert: false, hasThinkingBlock: false };
  return { ...BLANKS, ...kept, ...texts, ...numbers, ...rest, ...flags, ...detail, ...position };
}
