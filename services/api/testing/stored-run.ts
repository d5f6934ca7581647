import {
  CORRELATION_PATTERNS,
  type CorrelationRun,
  type RunPatterns,
} from '#records/correlations/correlation-run.ts';
import { noteRun } from '#records/correlations/correlation-runs.ts';
import { SIGNALS } from '#schemas/tables/tables.ts';
import type { Harness } from './harness.ts';

const ID = '0190dddd-0000-7000-8000-000000000001';
const AT = '2026-01-01T00:00:00.000Z';
const RUN: CorrelationRun = {
  id: ID,
  status: 'COMPLETED',
  parameters: {
    startDate: AT,
    endDate: AT,
    sandboxSlug: null,
    windowMinutes: 60,
    minSignals: 2,
    dimensions: ['violation'],
  },
  analyzedSignals: 9,
  totalSignals: 9,
  patternCount: 1,
  patternsLeftOut: 0,
  failure: null,
  createdAt: AT,
  updatedAt: AT,
  completedAt: AT,
};
const FINDING = {
  id: ID,
  type: 'BURST',
  key: 'violation:EMAIL',
  status: 'CLOSED',
  source: 'RUN',
  version: 9,
  windowStart: 0,
  windowMs: 3_600_000,
  count: 9,
  baseline: 1,
  observed: 9,
  score: 1,
  test: 'negative binomial tail',
  pValue: 0,
  riskLevel: 'HIGH',
  firstSeen: 0,
  lastSeen: 1,
  description: 'Nine of them.',
} as const;

/** Stores a run with one pattern that names these folded signals of a customer. */
export async function storeRunNaming(
  { dependencies }: Harness,
  customerId: string,
  ids: readonly string[],
): Promise<void> {
  const rows = await dependencies.warehouse.query<{ index: number; id: string; at: string }>(
    `SELECT \`index\`, auditId AS id, createdAt AS at FROM ${SIGNALS.name} FINAL
     WHERE customerId = {customerId:String} AND auditId IN {ids:Array(String)} ORDER BY \`index\``,
    { customerId, ids: [...ids] },
  );
  const members = rows.map(({ index, id, at }) => [index, id, Date.parse(at), 2] as const);
  const pattern = {
    finding: { ...FINDING, count: members.length },
    members,
    description: FINDING.description,
    erased: 0,
  };
  const patterns: RunPatterns = { patterns: [pattern] };
  await noteRun(dependencies.state.documents, customerId, RUN, { isNew: true, patterns });
}

/** Everything that the state holds of that run, as text: an id not in it is stored nowhere. */
export async function storedRunText({ state }: Harness, customerId: string): Promise<string> {
  return JSON.stringify(await state.documents.list(customerId, CORRELATION_PATTERNS));
}
