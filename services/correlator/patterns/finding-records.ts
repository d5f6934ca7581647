import { storedPattern } from '#core/correlate/fold/stored-pattern.ts';
import type { ReportedFinding } from '#core/correlate/fold/told-finding.ts';
import type { Codec } from '#platform/codec/port.ts';
import type { LogRecord } from '#platform/event-log/port.ts';
import { SCHEMA_NAMES } from '#schemas/events/events.ts';
import { CORRELATIONS } from '#schemas/topics.ts';

/** Records of `audit.correlations`, one for each change. */
export const findingRecords = (
  codec: Pick<Codec, 'encodeFinding'>,
  customerId: string,
  told: readonly ReportedFinding[],
): LogRecord[] =>
  told.map((one) => ({
    topic: CORRELATIONS.name,
    key: customerId,
    headers: { schema: SCHEMA_NAMES.finding },
    value: codec.encodeFinding(eventOf(customerId, one)),
  }));

function eventOf(customerId: string, told: ReportedFinding): Parameters<Codec['encodeFinding']>[0] {
  const { id, type, status, version, score, riskLevel } = told.finding;
  return {
    customerId,
    id,
    type,
    status,
    version,
    foundAt: new Date(told.foundAt).toISOString(),
    changedAt: new Date(told.changedAt).toISOString(),
    score,
    riskLevel,
    pattern: JSON.stringify({ ...storedPattern(told), description: told.sentence, erased: told.erased }),
    settings: JSON.stringify(told.settings),
  };
}
