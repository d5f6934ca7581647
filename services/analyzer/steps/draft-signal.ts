import { DETECTOR_RELEASE } from '#core/detect/detect.ts';
import { draftEntry } from '#core/evidence/entry.ts';
import type { LedgerDraft } from '#schemas/events/events.ts';
import type { SignalCore, SignalDetail } from '#schemas/ledger/signal.v2.ts';
import { SIGNAL_V4 } from '#schemas/ledger/signal.v4.ts';
import type { Fingerprinted } from './fingerprint.ts';

const SALT_BYTES = 32;

interface SignalFacts {
  /** Analyses started for the audit, including this one. */
  readonly attempts: number;
  /** Processing time of this analysis, ms. */
  readonly durationMs: number;
  /** End of the analysis, Unix ms. */
  readonly createdAt: number;
}

/** The SIGNAL entry of an analysed triplet, with its hashes, before its detail is sealed. */
export function draftSignal(
  { triplet, sandbox, assessment, suppressed, reasoning, fingerprint }: Fingerprinted,
  facts: SignalFacts,
  randomBytes: (size: number) => Buffer,
): LedgerDraft {
  const createdAt = new Date(facts.createdAt).toISOString();
  const core: SignalCore = {
    auditId: triplet.auditId,
    sandboxId: triplet.sandboxId,
    sandboxSlug: triplet.sandboxSlug,
    provider: triplet.provider,
    model: triplet.model,
    region: sandbox.region,
    riskLevel: assessment.riskLevel,
    violations: assessment.violations,
    regulation: assessment.regulation,
    piiDetected: assessment.piiDetected,
    confidence: assessment.confidence,
    alert: assessment.alert,
    policyVersion: `${triplet.sandboxVersion}.${DETECTOR_RELEASE}`,
    source: 'INGEST',
    attempts: facts.attempts,
    promptTokens: triplet.promptTokens,
    outputTokens: triplet.outputTokens,
    hasThinkingBlock: triplet.hasThinkingBlock,
    durationMs: Math.round(facts.durationMs * 100) / 100,
    acceptedAt: triplet.acceptedAt,
    createdAt,
  };
  const detail: SignalDetail = {
    reasoning,
    detections: assessment.detections,
    payloadDigest: triplet.payloadDigest.toString('hex'),
    fingerprint,
  };
  const entry = {
    kind: 'SIGNAL' as const,
    id: triplet.auditId,
    customerId: triplet.customerId,
    at: createdAt,
    core,
    detail,
    coreSalt: randomBytes(SALT_BYTES),
    detailSalt: randomBytes(SALT_BYTES),
  };
  const { detections, confidences } = assessment;
  // Without detections and suppressions, later versions would only add empty lists.
  if (detections.length === 0 && suppressed.length === 0) return draftEntry(entry);
  return draftEntry({ ...entry, detail: { ...detail, suppressed, confidences } }, SIGNAL_V4);
}
