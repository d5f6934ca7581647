import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { draftEntry } from '#core/evidence/entry.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import type { StoredRecord } from '#platform/event-log/port.ts';
import type { LedgerDraft } from '#schemas/events/events.ts';
import { groupBy } from '#schemas/group-by.ts';
import type { SignalCore, SignalDetail } from '#schemas/ledger/signal.v2.ts';
import { type AuditHeaders, LEDGER, PARTITIONS, TRIPLETS } from '#schemas/topics.ts';
import { auditRow } from '#services/sink/audits/audit-rows.ts';
import type { FlushUnit } from '#services/sink/flush/flush.ts';
import type { Head } from '#services/sink/fold/rows.ts';

/** Of each flush, this share of the signals belongs to audits that the flush before has listed as accepted. */
const LATE_SHARE = 0.2;
const EPOCH = 1;
const SANDBOXES = 4;
const PROVIDERS = ['openai', 'anthropic', 'gemini'] as const;
const LEVELS = ['LOW', 'LOW', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
const CODES = ['EMAIL', 'PHONE', 'SSN', 'CREDIT_CARD', 'API_KEY', 'PROMPT_INJECTION'];
const pick = <One>(from: readonly One[], n: number): One => from[n % from.length] as One;

interface Audit {
  readonly headers: AuditHeaders;
  readonly customerId: string;
  readonly at: number;
  readonly n: number;
}

/**
 * Makes the units of one flush after the other, as the sink makes them of the records that arrived in between; `heads`:
 * where the chains ended after the flush before.
 */
export function flushUnits(
  customers: number,
): (audits: number, at: number, heads: ReadonlyMap<string, Head>) => FlushUnit[] {
  const customerIds = Array.from({ length: customers }, () => v7());
  const sandboxIds = customerIds.map(() => Array.from({ length: SANDBOXES }, () => v7()));
  const offsets = new Map<string, number>();
  let made = 0;
  let late: Audit[] = [];

  const accept = (at: number): Audit => {
    const n = made++;
    const customerId = pick(customerIds, n);
    const acceptedAt = new Date(at).toISOString();
    const headers: AuditHeaders = {
      auditId: v7({ msecs: at }),
      customerId,
      sandboxId: pick(pick(sandboxIds, n), n >> 5),
      sandboxSlug: `sandbox-${(n >> 5) % SANDBOXES}`,
      provider: pick(PROVIDERS, n >> 3),
      model: 'a-model',
      acceptedAt,
      source: 'INGEST',
      generation: '0',
      attempt: '1',
      schema: 'cas.v1.AuditTriplet',
      steps: JSON.stringify([{ name: 'ACCEPTED', at: acceptedAt }]),
    };
    return { headers, customerId, at, n };
  };
  const stored = (topic: string, key: string, at: number, headers: object): StoredRecord => {
    const partition = partitionOf(key, PARTITIONS);
    const place = `${topic}/${partition}`;
    const offset = offsets.get(place) ?? 0;
    offsets.set(place, offset + 1);
    return { topic, partition, offset, key, headers: { ...headers }, value: randomBytes(32), timestamp: at };
  };

  return (audits, at, heads) => {
    const accepted = Array.from({ length: audits }, (_, i) => accept(at - audits + i));
    const triplets = accepted.map(({ headers, at: from }) =>
      stored(TRIPLETS.name, headers.auditId, from, headers),
    );
    const ready = Math.round(audits * (1 - LATE_SHARE));
    const signals = [...late, ...accepted.slice(0, ready)].map((audit) => {
      const { headers, customerId } = audit;
      const draft = signalOf(audit);
      return { source: stored(LEDGER.name, customerId, audit.at, signalHeaders(headers)), draft };
    });
    late = accepted.slice(ready);
    return [
      ...byPartition(triplets, (source) => source).map((sources) => ({
        ...unitOf(sources),
        kind: 'audits' as const,
        rows: sources.flatMap((source) => auditRow(source, EPOCH) ?? []),
      })),
      ...byPartition(signals, ({ source }) => source).map((records) => ({
        ...unitOf(records.map(({ source }) => source)),
        kind: 'ledger' as const,
        records: records.map(openedOf),
        cachedHeads: heads,
      })),
    ];
  };
}

const byPartition = <One>(all: readonly One[], sourceOf: (one: One) => StoredRecord): One[][] => [
  ...groupBy(all, (one) => sourceOf(one).partition).values(),
];

function unitOf(sources: readonly StoredRecord[]) {
  const { topic, partition, offset } = sources[0] as StoredRecord;
  const assignment = { topic, partition, committed: null, start: 0, end: offset + sources.length };
  return { assignment, place: `${topic}/${partition}`, sources, size: sources.length, behind: false };
}

function openedOf({ source, draft }: { source: StoredRecord; draft: LedgerDraft }) {
  const { partition, offset, key, headers } = source;
  const empty = Buffer.alloc(0);
  const sealed = { kekId: '', wrappedKey: empty, iv: empty, ciphertext: empty };
  const { detail, detailSalt, ...entry } = draft;
  return {
    partition,
    offset,
    key,
    headers,
    entry: { ...entry, detail: sealed },
    detail: { salt: detailSalt, json: detail },
  };
}

const signalHeaders = (headers: AuditHeaders): AuditHeaders => ({
  ...headers,
  attempt: '2',
  schema: 'cas.v1.LedgerEntry',
  steps: JSON.stringify([
    ...(JSON.parse(headers.steps) as unknown[]),
    { name: 'ANALYZING', at: headers.acceptedAt, attempt: 1 },
  ]),
});

function signalOf({ headers, customerId, at, n }: Audit): LedgerDraft {
  const createdAt = new Date(at + 40 + (n % 90)).toISOString();
  const riskLevel = pick(LEVELS, n * 7);
  const code = pick(CODES, n * 5);
  const found = riskLevel !== 'LOW';
  const core: SignalCore = {
    auditId: headers.auditId,
    sandboxId: headers.sandboxId,
    sandboxSlug: headers.sandboxSlug,
    provider: headers.provider,
    model: headers.model,
    region: 'EU',
    riskLevel,
    violations: found ? [code] : [],
    regulation: found ? ['GDPR'] : [],
    piiDetected: found,
    confidence: found ? 0.5 + (n % 50) / 100 : 1,
    alert: riskLevel === 'CRITICAL',
    policyVersion: '1.4.0.0',
    source: 'INGEST',
    attempts: 1,
    promptTokens: null,
    outputTokens: null,
    hasThinkingBlock: false,
    durationMs: Math.round((0.3 + (n % 997) / 313) * 100) / 100,
    acceptedAt: headers.acceptedAt,
    createdAt,
  };
  const detail: SignalDetail = {
    reasoning: found
      ? `Found in the prompt: ${code} j***@example.org at character ${n % 900}. Risk is ${riskLevel}: "${code}" decides, on its own. It concerns GDPR.`
      : 'Nothing was found. Risk is LOW.',
    detections: found ? [{ code, detector: code.toLowerCase(), version: 1, count: 1 + (n % 3) }] : [],
    payloadDigest: randomBytes(32).toString('hex'),
    fingerprint: randomBytes(32).toString('hex'),
  };
  const salts = { coreSalt: randomBytes(32), detailSalt: randomBytes(32) };
  return draftEntry({
    kind: 'SIGNAL',
    id: headers.auditId,
    customerId,
    at: createdAt,
    core,
    detail,
    ...salts,
  });
}
