import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { bundledCodec } from '#platform/codec/bundled.ts';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import type { PendingEntry, State } from '#platform/state/port.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import type { EntryMaker } from '#records/changes/ledger-events.ts';
import { type Directory, openDirectory } from '#records/directory.ts';
import type { SandboxRecord } from '#records/documents/sandbox-record.ts';
import { advanceErasure, erasureProgress, nameNextEntries } from '#records/erasure/erasures.ts';
import { acceptLoss } from '#records/losses/accepted-losses.ts';
import type { AuditTriplet, LedgerDraft, Sealed } from '#schemas/events/events.ts';
import { rollbackEvent } from '#services/api/evidence/proofs/accept-rollback.ts';
import { draftInternalSignal } from '#services/api/ingest/internal/draft-internal-signal.ts';
import { draftSignal } from '../../services/analyzer/steps/draft-signal.ts';
import { writeEvidence } from './emitted-evidence.ts';
import { AMPLE, CUSTOMER, ID, timeAt } from './emitted-values.ts';

/**
 * Every kind of entry that the service writes, created by its own code with fixed ids, times and salts, by the name of
 * its fixture in `schemas/ledger/fixtures`.
 */

const codec = bundledCodec();

/** Distinct salts, the same in every run. */
function countedBytes(): (size: number) => Buffer {
  let calls = 0;
  return (size) => {
    calls += 1;
    return Buffer.alloc(size, calls);
  };
}

/** Encrypts nothing, so that the plain text can be read back. */
const plainSeal = async (_customerId: string, _use: string, _id: string, text: Buffer): Promise<Sealed> => ({
  kekId: 'none',
  wrappedKey: Buffer.alloc(0),
  iv: Buffer.alloc(0),
  ciphertext: text,
});

function draftOf({ valueBase64 }: PendingEntry): LedgerDraft {
  const { detail, ...clear } = codec.decodeLedgerEntry(Buffer.from(valueBase64, 'base64'));
  const { ciphertext } = detail;
  return { ...clear, detailSalt: ciphertext.subarray(0, 32), detail: ciphertext.toString('utf8', 32) };
}

export async function emittedDrafts(): Promise<ReadonlyMap<string, LedgerDraft>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'emitted-'));
  const state = await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: Date.now });
  try {
    const made: LedgerDraft[] = [];
    const keyring = { seal: plainSeal } as unknown as Parameters<typeof entryMaker>[0]['keyring'];
    const make = entryMaker({ keyring, codec, randomBytes: countedBytes() });
    const makeEntry: EntryMaker = async (event) => {
      const entry = await make(event);
      made.push(draftOf(entry));
      return entry;
    };
    await writeRecords(state, makeEntry);
    const named = made.map((draft, n) => [RECORD_ENTRIES[n] ?? `number ${n}`, draft] as const);
    return new Map([...signals(), ...named]);
  } finally {
    await state.close();
    await rm(folder, { recursive: true });
  }
}

/** In the order of `writeRecords`: customers' records, an operator's decision, the erasure. */
const RECORD_ENTRIES = [
  'POLICY_EVENT.v1.sandbox-created',
  'POLICY_EVENT.v1.sandbox-changed',
  'POLICY_EVENT.v1.sandbox-deleted',
  'KEY_EVENT.v1.api-key-created',
  'KEY_EVENT.v1.api-key-revoked',
  'EVIDENCE_EVENT.v1.loss-accepted',
  'ERASURE.v1.closing',
  'ERASURE.v1.range',
  'EVIDENCE_EVENT.v1.rollback-accepted',
  'INCIDENT_EVENT.v1.opened',
  'INCIDENT_EVENT.v1.investigated',
  'INCIDENT_EVENT.v1.resolved',
  'KEY_EVENT.v1.auditor-created',
  'AUDITOR_ACCESS.v1.call',
  'KEY_EVENT.v1.auditor-revoked',
  'ERASURE.v1.signal',
  'POLICY_EVENT.v1.policy-created',
  'POLICY_EVENT.v1.policy-changed',
  'POLICY_EVENT.v1.policy-deleted',
  'POLICY_EVENT.v1.retention-made',
  'POLICY_EVENT.v1.hold-set',
  'EVIDENCE_EVENT.v1.package-made',
  'POLICY_EVENT.v1.settings-changed',
  'POLICY_EVENT.v1.sandbox-allowing',
];

/** Names of the fixtures, in the order of `emittedDrafts`. */
export const EMITTED = [
  'SIGNAL.v2.nothing-found',
  'SIGNAL.v2.internal',
  'SIGNAL.v4.ingest',
  'SIGNAL.v4.all-suppressed',
  ...RECORD_ENTRIES,
];

async function writeRecords(state: State, makeEntry: EntryMaker): Promise<void> {
  const { documents, admission } = state;
  const announce = (): void => undefined;
  const randomBytes = (size: number): Buffer => Buffer.alloc(size, 0x1a);
  const directory = openDirectory({ documents, admission, makeEntry, announce, randomBytes });
  await writeCustomer(directory);
  await writeSandbox(directory);
  await writeKey(directory);
  await acceptLoss(
    { documents, makeEntry, announce },
    {
      epoch: 3,
      topic: 'audit.ledger',
      partition: 11,
      offset: 16,
      untilOffset: 17,
      digest: 'ab'.repeat(32),
      cause: 'CORE_HASH',
      reason: 'Zoë 😀\nsaid so',
      acceptedAt: timeAt(6),
      acceptedBy: 'usr_1',
    },
    CUSTOMER,
  );
  await directory.eraseCustomer({ customerId: CUSTOMER, id: ID, at: timeAt(7) });
  const dependencies = { documents, makeEntry, announce };
  const progress = await erasureProgress(documents, CUSTOMER);
  await advanceErasure(documents, CUSTOMER, progress!, { phase: 'NAMING', closedAt: 7_000, awaited: null });
  await nameNextEntries(dependencies, CUSTOMER, (await erasureProgress(documents, CUSTOMER))!, timeAt(8));
  await makeEntry(
    rollbackEvent(CUSTOMER, {
      epoch: 4,
      treeSize: 7_001,
      lostCheckpoint: 'origin/customer\n7001\nroot\n\n\u2014 origin signature\n',
      reason: 'Zoë 😀\nrestored it',
      actor: 'usr_1',
      at: timeAt(9),
    }),
  );
  await writeEvidence(dependencies);
  await writeAllowingSandbox(directory);
}

const writeCustomer = (directory: Directory) =>
  directory.createCustomer({
    id: CUSTOMER,
    name: 'Zoë & Söhne',
    type: 'COMPANY',
    plan: 'DEV',
    overrides: { rate: null, burst: null, auditQuota: null, sandboxQuota: null },
    limits: { ratePerSecond: 10, burst: 50, auditQuota: 1_000, sandboxQuota: 5 },
    createdAt: timeAt(0),
  });

const SETTINGS = {
  name: 'Support of Zoë 😀',
  sandboxType: 'CUSTOM',
  regulations: ['GDPR', 'EU_AI_ACT'],
  alertThreshold: 'HIGH',
  guardianAction: 'REDACT_AND_CONTINUE',
  customRules: ['€ and "quotes"', '/a\\sb/i'],
  region: 'EU',
  active: true,
  redactionStrategy: 'PARTIAL',
} as const;

async function writeSandbox(directory: Directory): Promise<void> {
  const sandbox = { ...SETTINGS, id: ID, slug: 'support-chat', customerId: CUSTOMER };
  await directory.createSandbox({ ...sandbox, quota: null, budget: AMPLE, createdAt: timeAt(1) });
  const named = { customerId: CUSTOMER, idOrSlug: ID, takenOver: false };
  await directory.changeSandbox({
    ...named,
    at: timeAt(2),
    changeId: '0190eeee-0000-7000-8000-000000000002',
    budget: AMPLE,
    settings: (record) => ({
      ...record,
      name: 'Zoë\nalone',
      customRules: [],
      active: false,
      regulations: [],
    }),
  });
  await directory.deleteSandbox({
    ...named,
    at: timeAt(3),
    changeId: '0190eeee-0000-7000-8000-000000000003',
  });
}

/** A sandbox with detection settings. */
async function writeAllowingSandbox(directory: Directory): Promise<void> {
  await directory.createSandbox({
    ...SETTINGS,
    id: '0190eeee-0000-7000-8000-000000000004',
    slug: 'allowing',
    customerId: CUSTOMER,
    quota: null,
    budget: AMPLE,
    createdAt: timeAt(13),
    detection: {
      allowedValues: ['Zoë 😀', '@example.com'],
      allowedCidrs: ['2001:db8::/32'],
      allowedPatterns: ['/a\\sb/i'],
      detectorsOff: ['high-entropy'],
      minConfidence: [{ of: 'PERSON', confidence: 0.85 }],
    },
  });
}

async function writeKey(directory: Directory): Promise<void> {
  await directory.createApiKey({
    customerId: CUSTOMER,
    id: ID,
    name: 'Zoë’s key',
    budget: AMPLE,
    createdAt: timeAt(4),
  });
  await directory.revokeApiKey(CUSTOMER, ID, timeAt(5));
}

const SANDBOX: SandboxRecord = {
  ...SETTINGS,
  id: ID,
  version: 7,
  slug: 'support-chat',
  createdAt: timeAt(0),
  updatedAt: timeAt(0),
  deletedAt: null,
};

const TRIPLET: AuditTriplet = {
  v: 1,
  auditId: '0190dddd-0000-7000-8000-000000000011',
  customerId: CUSTOMER,
  sandboxId: ID,
  sandboxVersion: 7,
  sandboxSlug: 'support-chat',
  provider: 'openai',
  model: 'gpt-4o “mini”',
  acceptedAt: timeAt(9),
  promptTokens: 12,
  outputTokens: null,
  hasThinkingBlock: true,
  payloadDigest: Buffer.alloc(32, 0xcd),
  sealed: { kekId: 'none', wrappedKey: Buffer.alloc(0), iv: Buffer.alloc(0), ciphertext: Buffer.alloc(0) },
};

const ASSESSED: Parameters<typeof draftSignal>[0] = {
  triplet: TRIPLET,
  sandbox: SANDBOX,
  assessment: {
    riskLevel: 'HIGH',
    violations: ['EMAIL', 'CUSTOM_RULE'],
    piiDetected: true,
    regulation: ['GDPR'],
    confidence: 0.1 + 0.2,
    alert: true,
    detections: [
      { code: 'EMAIL', detector: 'email', version: 1, count: 2 },
      { code: 'CUSTOM_RULE', detector: 'custom-rules', version: 1, count: 1, ruleIndex: 0 },
    ],
    confidences: [0.85, 0.1 + 0.2],
    rating: [] as never,
    unreported: [],
  },
  suppressed: [],
  reasoning: 'masked z***@x.org in "the prompt"\n😀',
  fingerprint: '5a'.repeat(32),
};

const SUPPRESSED = [
  { reason: 'ALLOWED_VALUE', detector: 'email', code: 'PII_LEAK', type: 'EMAIL', count: 2 },
  { reason: 'DETECTOR_OFF', detector: 'injection-phrases', code: 'PROMPT_INJECTION', count: 1 },
] as const;

const NOTHING: typeof ASSESSED = {
  ...ASSESSED,
  assessment: {
    ...ASSESSED.assessment,
    riskLevel: 'LOW',
    violations: [],
    piiDetected: false,
    confidence: 1,
    alert: false,
    detections: [],
    confidences: [],
  },
  fingerprint: null,
};

function signals(): [string, LedgerDraft][] {
  const facts = { attempts: 2, durationMs: 12.3456, createdAt: Date.parse(timeAt(10)) };
  const internal = draftInternalSignal(
    {
      customerId: CUSTOMER,
      sandboxId: ID,
      provider: 'openai',
      model: 'gpt-4o',
      riskLevel: 'LOW',
      violations: [],
      regulation: ['GDPR'],
      confidence: 1,
      reasoning: 'looked at, and nothing was found',
      promptTokens: null,
      outputTokens: 42,
      hasThinkingBlock: false,
      durationMs: 0,
    },
    SANDBOX,
    {
      auditId: '0190dddd-0000-7000-8000-000000000012',
      acceptedAt: timeAt(12),
      createdAt: timeAt(11),
      digest: 'ef'.repeat(32),
    },
    countedBytes(),
  );
  return [
    ['SIGNAL.v2.nothing-found', draftSignal(NOTHING, facts, countedBytes())],
    ['SIGNAL.v2.internal', internal.draft],
    ['SIGNAL.v4.ingest', draftSignal(ASSESSED, facts, countedBytes())],
    ['SIGNAL.v4.all-suppressed', draftSignal({ ...NOTHING, suppressed: SUPPRESSED }, facts, countedBytes())],
  ];
}
