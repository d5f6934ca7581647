import type { CorrelationFinding } from '#schemas/events/events.ts';
import type { FindingStatus, FindingType } from '#schemas/vocabulary.ts';
import { type StoredPattern, storedPattern } from '../fold/stored-pattern.ts';
import { type CorrelationSettings, DEFAULT_SETTINGS, HOUR_MS } from '../state/rules.ts';

interface Given {
  readonly customerId: string;
  readonly id: string;
  readonly type?: FindingType;
  readonly status?: FindingStatus;
  readonly version?: number;
  /** Unix ms; by default the finding changed when it was found. */
  readonly foundAt?: number;
  readonly changedAt?: number;
  readonly windowStart?: number;
  readonly members?: readonly { readonly index: number; readonly id: string; readonly at: number }[];
  readonly settings?: Partial<CorrelationSettings>;
}

const FOUND_AT = Date.UTC(2026, 10, 1, 12, 30);
const iso = (at: number): string => new Date(at).toISOString();

/** The event of a finding whose signals are all HIGH; by default it names none. */
export function sampleFinding(given: Given): CorrelationFinding {
  const { customerId, id, type = 'BURST', status = 'OPEN', version = 9, foundAt = FOUND_AT } = given;
  const { changedAt = foundAt, members = [], windowStart = foundAt - (foundAt % HOUR_MS) } = given;
  const pattern = storedPattern({
    finding: {
      id,
      type,
      key: type === 'CAMPAIGN' ? 'shape:0123456789abcdef' : 'violation:SSN',
      status,
      source: 'STREAM',
      version,
      windowStart,
      windowMs: HOUR_MS,
      count: members.length,
      baseline: 0.5,
      observed: members.length,
      score: 0.9,
      test: 'negative binomial tail',
      pValue: 1e-9,
      riskLevel: 'HIGH',
      firstSeen: members[0]?.at ?? windowStart,
      lastSeen: members.at(-1)?.at ?? windowStart,
      signalIds: members.map((one) => one.id),
      description: 'Many of them.',
    },
    members: members.map((one) => ({ ...one, rank: 2 })),
  }) satisfies StoredPattern;
  return {
    customerId,
    id,
    type,
    status,
    version,
    foundAt: iso(foundAt),
    changedAt: iso(changedAt),
    score: pattern.finding.score,
    riskLevel: pattern.finding.riskLevel,
    pattern: JSON.stringify(pattern),
    settings: JSON.stringify({ ...DEFAULT_SETTINGS, ...given.settings }),
  };
}
