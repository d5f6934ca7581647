import type { DetectionSummary, SignalCore } from '../../schemas/events/events.ts';
import type { SignalRow } from '../../schemas/tables/tables.ts';

/**
 * Stored rows as the API serves them. The API's reads and the verifier both go through here, so that what is checked
 * against the hashes is what readers see.
 */

/** Core of a stored signal. Of a row that is erased with scope ALL it holds blanks. */
export function servedCore(row: SignalRow): SignalCore {
  return {
    auditId: row.auditId,
    sandboxId: row.sandboxId,
    sandboxSlug: row.sandboxSlug,
    provider: row.provider,
    model: row.model,
    region: row.region,
    riskLevel: row.riskLevel,
    violations: row.violations,
    regulation: row.regulation,
    piiDetected: row.piiDetected,
    confidence: row.confidence,
    alert: row.alert,
    policyVersion: row.policyVersion,
    source: row.source,
    attempts: row.attempts,
    promptTokens: row.promptTokens,
    outputTokens: row.outputTokens,
    hasThinkingBlock: row.hasThinkingBlock,
    durationMs: row.durationMs,
    acceptedAt: row.acceptedAt,
    createdAt: row.createdAt,
  };
}

/** Detail of a stored signal; `reasoning` is null once it is erased. */
export interface ServedDetail {
  readonly reasoning: string | null;
  readonly detections: readonly DetectionSummary[];
  readonly payloadDigest: string | null;
}

/** Throws `SyntaxError` when the stored list of detections is not JSON. */
export function servedDetail(row: SignalRow): ServedDetail {
  return {
    reasoning: row.reasoning,
    detections: JSON.parse(row.detections) as DetectionSummary[],
    payloadDigest: row.payloadDigest,
  };
}
