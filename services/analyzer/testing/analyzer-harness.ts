import { randomBytes } from 'node:crypto';
import { createDetection } from '#detection/detection.ts';
import { bundledCodec } from '#platform/codec/bundled.ts';
import type { LogRecord, StoredRecord } from '#platform/event-log/port.ts';
import { openKeyring } from '#platform/sealing/keyring.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import type { ProcessContext } from '#platform/stream/failure/outcome.ts';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import { SANDBOX_VERSIONS, type SandboxRecord } from '#records/documents/sandbox-record.ts';
import { sandboxVersions } from '#records/sandboxes/sandbox-versions.ts';
import type { AuditTriplet, TripletText } from '#schemas/events/events.ts';
import { type AnalyzerDependencies, createAnalyzer } from '../pipeline.ts';

export const CUSTOMER = 'alice';
export const ACCEPTED_AT = '2026-11-21T10:00:00.000Z';
export const NOW = Date.parse('2026-11-21T10:00:01.000Z');

const SANDBOX: SandboxRecord = {
  id: 'sbx',
  version: 2,
  name: 'Support chat',
  slug: 'support-chat',
  sandboxType: 'FULL_SPECTRUM',
  regulations: ['GDPR'],
  alertThreshold: 'HIGH',
  guardianAction: 'REDACT_AND_CONTINUE',
  customRules: ['project nightjar'],
  region: 'EU',
  active: true,
  redactionStrategy: 'FULL',
  createdAt: ACCEPTED_AT,
  updatedAt: ACCEPTED_AT,
  deletedAt: null,
};

export interface HarnessOptions extends Partial<AnalyzerDependencies> {
  /** Wraps the harness's keyring for the analyzer. */
  readonly keyringAround?: (keyring: Keyring) => AnalyzerDependencies['keyring'];
  /** Changes to the default sandbox. */
  readonly sandbox?: Partial<SandboxRecord>;
}

/** An analyzer with real codec and keyring, and one sandbox version in an in-memory state. */
export async function analyzerHarness(overrides: HarnessOptions = {}) {
  const { sandbox, keyringAround, ...dependencies } = overrides;
  const state = memoryState();
  const codec = bundledCodec();
  const keyring = openKeyring({ state, masterKey: Buffer.alloc(32, 5) });
  const id = `${SANDBOX.id}:${SANDBOX.version}`;
  await state.documents.write(CUSTOMER, [
    { collection: SANDBOX_VERSIONS, id, value: { ...SANDBOX, ...sandbox } },
  ]);
  const analyzer = createAnalyzer({
    codec,
    keyring: keyringAround === undefined ? keyring : keyringAround(keyring),
    sandboxVersions: sandboxVersions(state.documents),
    detection: createDetection({ tasks: null, clock: () => performance.now() }),
    now: () => NOW,
    clock: () => performance.now(),
    randomBytes,
    ...dependencies,
  });

  const triplet = async (auditId: string, text: TripletText, change: Partial<AuditTriplet> = {}) => {
    const plaintext = Buffer.from(JSON.stringify(text));
    const made: AuditTriplet = {
      v: 1,
      auditId,
      customerId: CUSTOMER,
      sandboxId: SANDBOX.id,
      sandboxVersion: SANDBOX.version,
      sandboxSlug: SANDBOX.slug,
      provider: 'openai',
      model: 'gpt-4o',
      acceptedAt: ACCEPTED_AT,
      promptTokens: 12,
      outputTokens: null,
      hasThinkingBlock: text.thinkingBlock !== undefined,
      payloadDigest: Buffer.alloc(32, 0xab),
      sealed: await keyring.seal(CUSTOMER, 'triplet', auditId, plaintext),
      ...change,
    };
    return made;
  };
  const recordOf = (made: AuditTriplet): LogRecord => ({
    topic: 'audit.triplets',
    key: made.auditId,
    value: codec.encodeTriplet(made),
    headers: {
      auditId: made.auditId,
      customerId: made.customerId,
      sandboxId: made.sandboxId,
      sandboxSlug: made.sandboxSlug,
      provider: made.provider,
      model: made.model,
      acceptedAt: made.acceptedAt,
      source: 'INGEST',
      generation: '0',
      attempt: '1',
      schema: 'cas.v1.AuditTriplet',
      steps: JSON.stringify([{ name: 'ACCEPTED', at: made.acceptedAt }]),
    },
  });
  const audit = async (auditId: string, text: TripletText, change: Partial<AuditTriplet> = {}) =>
    recordOf(await triplet(auditId, text, change));
  const process = (records: readonly LogRecord[], context: Partial<ProcessContext> = {}) => {
    const stored: StoredRecord[] = records.map((record, offset) => ({
      ...record,
      partition: 0,
      offset,
      timestamp: NOW,
    }));
    const batch = {
      topic: 'audit.triplets',
      partition: 0,
      records: stored,
      nextOffset: stored.length,
      end: 0,
    };
    const { signal } = new AbortController();
    const assignment = { topic: batch.topic, partition: 0, start: 0, end: 0, committed: null };
    return analyzer.process(batch, { signal, assignment, oneByOne: false, ...context });
  };
  return { state, codec, keyring, analyzer, triplet, recordOf, audit, process };
}
