import { detect } from '#core/detect/detect.ts';
import { regulationsConcerned } from '#core/detect/judge/regulations.ts';
import { rankOfLevel } from '#core/detect/judge/severity.ts';
import { redact } from '#core/detect/report/redact.ts';
import { draftEntry } from '#core/evidence/entry.ts';
import type { SandboxRecord } from '#records/documents/sandbox-record.ts';
import type { NewInternalSignal } from '#schemas/api/internal-signal.ts';
import { type LedgerDraft, SCHEMA_NAMES } from '#schemas/events/events.ts';
import type { SignalCore, SignalDetail } from '#schemas/ledger/signal.v2.ts';
import type { AuditHeaders } from '#schemas/topics.ts';
import { VIOLATION_GROUPS, type ViolationCode } from '#schemas/vocabulary.ts';

const SALT_BYTES = 32;
const PERSONAL: readonly ViolationCode[] = VIOLATION_GROUPS.PII;

/** What is decided about a platform signal in addition to its input. Times are ISO 8601. */
interface SignalFacts {
  readonly auditId: string;
  readonly acceptedAt: string;
  readonly createdAt: string;
  /** Keyed digest of the body as sent, hex. */
  readonly digest: string;
}

interface InternalDraft {
  readonly core: SignalCore;
  readonly draft: LedgerDraft;
  readonly headers: AuditHeaders;
}

/** The SIGNAL entry of a platform signal: no analysis, so no policy and no detections. */
export function draftInternalSignal(
  sent: NewInternalSignal,
  sandbox: SandboxRecord,
  { auditId, acceptedAt, createdAt, digest }: SignalFacts,
  randomBytes: (size: number) => Buffer,
): InternalDraft {
  const { customerId, provider, model, riskLevel } = sent;
  const violations = [...new Set(sent.violations)];
  const core: SignalCore = {
    auditId,
    sandboxId: sandbox.id,
    sandboxSlug: sandbox.slug,
    provider,
    model,
    region: sent.region ?? sandbox.region,
    riskLevel,
    violations,
    regulation: sent.regulation ?? regulationsConcerned(sandbox.regulations, violations),
    piiDetected: sent.piiDetected ?? violations.some((code) => PERSONAL.includes(code)),
    confidence: sent.confidence,
    alert: rankOfLevel(riskLevel) >= rankOfLevel(sandbox.alertThreshold),
    policyVersion: null,
    source: 'INTERNAL',
    attempts: 0,
    promptTokens: sent.promptTokens ?? null,
    outputTokens: sent.outputTokens ?? null,
    hasThinkingBlock: sent.hasThinkingBlock,
    durationMs: sent.durationMs,
    acceptedAt,
    createdAt,
  };
  const detail: SignalDetail = {
    reasoning: masked(sent.reasoning, sandbox),
    detections: [],
    payloadDigest: digest,
    // There is no prompt.
    fingerprint: null,
  };
  const draft = draftEntry({
    kind: 'SIGNAL',
    id: auditId,
    customerId,
    at: createdAt,
    core,
    detail,
    coreSalt: randomBytes(SALT_BYTES),
    detailSalt: randomBytes(SALT_BYTES),
  });
  const headers: AuditHeaders = {
    auditId,
    customerId,
    sandboxId: sandbox.id,
    sandboxSlug: sandbox.slug,
    provider,
    model,
    acceptedAt,
    source: 'INTERNAL',
    generation: '0',
    attempt: '0',
    schema: SCHEMA_NAMES.ledger,
    steps: JSON.stringify([{ name: 'ACCEPTED', at: acceptedAt }]),
  };
  return { core, draft, headers };
}

const noHash = (): string => '';

/** The text with the matches of the detectors and of the sandbox's own rules partially masked. */
function masked(text: string, { customRules }: SandboxRecord): string {
  return redact(text, detect([{ source: 'response', text }], { customRules }), 'PARTIAL', noHash);
}
