import type { ReportedFinding } from '#core/correlate/fold/reported-finding.ts';
import { storedPattern } from '#core/correlate/fold/stored-pattern.ts';
import type { Codec } from '#platform/codec/port.ts';
import type { LogRecord } from '#platform/event-log/port.ts';
import { SCHEMA_NAMES } from '#schemas/events/events.ts';
import { CORRELATIONS } from '#schemas/topics.ts';

/** Records of `audit.correlations`, one per change. */
export const findingRecords = (
  codec: Pick<Codec, 'encodeFinding'>,
  customerId: string,
  findings: readonly ReportedFinding[],
): LogRecord[] =>
  findings.map((one) => ({
    topic: CORRELATIONS.name,
    key: customerId,
    headers: { schema: SCHEMA_NAMES.finding },
    value: codec.encodeFinding(eventOf(customerId, one)),
  }));

function eventOf(customerId: string, findings: ReportedFinding): Parameters<Codec['encodeFinding']>[0] {
  const { id, type, status, version, score, riskLevel } = findings.finding;
  return {
    customerId,
    id,
    type,
    status,
    version,
    foundAt: new Date(findings.foundAt).toISOString(),
    changedAt: new Date(findings.changedAt).toISOString(),
    score,
    riskLevel,
    pattern: JSON.stringify({
      ...storedPattern(findings),
      description: findings.sentence,
      erased: findings.erased,
    }),
    settings: JSON.stringify(findings.settings),
  };
}
