import fc from 'fast-check';
import { blanked, sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import type { AuditRow, SignalRow } from '#schemas/tables/tables.ts';
import { LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { RISK_LEVELS, type RiskLevel } from '#schemas/vocabulary.ts';

/** Generated audits, and the rows that the sink would have stored for them. */

export const SLUGS = ['support-chat', 'sales_bot', 'intern'] as const;
export const MODELS = ['m', 'n', 'gpt-5, "mini"'] as const;
export const PROVIDERS = ['openai', 'anthropic', 'gemini'] as const;
export const CODES = ['EMAIL', 'SSN', 'XSS', 'CSAM', 'CUSTOM_RULE'] as const;
const FATES = ['queued', 'retrying', 'failed', 'stored', 'internal', 'anonymized', 'erased'] as const;
type Fate = (typeof FATES)[number];

/** Around the end of a month, a 28 February without a leap day, a year's end, and years apart. */
const EDGES = ['2025-12-31', '2026-02-28', '2026-03-01', '2026-03-02', '2024-02-29', '2020-06-15'].map(
  (day) => Date.parse(`${day}T00:00:00.000Z`),
);
const HOUR_MS = 3_600_000;

/** Unix ms: on an edge, a millisecond off, or hours around it. */
export const time = fc
  .tuple(
    fc.constantFrom(...EDGES),
    fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -30 * HOUR_MS, max: 30 * HOUR_MS })),
  )
  .map(([edge, away]) => edge + away);

export interface MadeAudit {
  readonly customer: number;
  readonly number: number;
  readonly createdAt: number;
  readonly acceptedAt: number;
  readonly sandbox: number;
  readonly provider: string;
  readonly model: string;
  readonly riskLevel: RiskLevel;
  readonly violations: readonly string[];
  readonly fate: Fate;
  /** Which of its rows are stored again, and when. */
  readonly repeats: readonly number[];
  readonly order: readonly number[];
}

const audit = fc.record({
  customer: fc.constantFrom(0, 0, 0, 1),
  createdAt: time,
  analysisMs: fc.constantFrom(0, 1, 40, 5_000, 7_200_000),
  sandbox: fc.nat(SLUGS.length - 1),
  provider: fc.constantFrom(...PROVIDERS),
  model: fc.constantFrom(...MODELS),
  riskLevel: fc.constantFrom(...RISK_LEVELS),
  violations: fc.subarray([...CODES]),
  fate: fc.constantFrom(...FATES, 'stored', 'stored', 'stored'),
  repeats: fc.array(fc.nat(6), { maxLength: 3 }),
  order: fc.array(fc.nat(3), { minLength: 8, maxLength: 8 }),
});

export const history = fc.array(audit, { minLength: 40, maxLength: 90 }).map((audits) =>
  audits.map(
    ({ analysisMs, ...rest }, number): MadeAudit => ({
      ...rest,
      number,
      acceptedAt: rest.createdAt - analysisMs,
    }),
  ),
);

/** Ids derived from numbers, not ordered by time. */
export const auditIdOf = ({ number }: Pick<MadeAudit, 'number'>): string =>
  `0190${((number * 7919) % 65_536).toString(16).padStart(4, '0')}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

/** Owner of the audits; sandbox ids in the order of `SLUGS`. */
export interface Owner {
  readonly customerId: string;
  readonly sandboxIds: readonly string[];
}

/** Nothing checks the hashes here. */
const SAMPLE = storedRows([sampleDraft(0, 'SIGNAL')]).signals[0]!;

const iso = (at: number): string => new Date(at).toISOString();

function signalRows(made: MadeAudit, { customerId, sandboxIds }: Owner): SignalRow[] {
  const { number, sandbox, provider, model, riskLevel, violations, fate } = made;
  if (['queued', 'retrying', 'failed'].includes(fate)) return [];
  const content: SignalRow = {
    ...SAMPLE,
    customerId,
    auditId: auditIdOf(made),
    sandboxId: sandboxIds[sandbox]!,
    sandboxSlug: SLUGS[sandbox]!,
    provider,
    model,
    riskLevel,
    violations: [...violations],
    acceptedAt: iso(made.acceptedAt),
    createdAt: iso(made.createdAt),
    index: number,
  };
  if (fate === 'erased') return [content, blanked(content, 'DETAIL', 80), blanked(content, 'ALL', 90)];
  return fate === 'anonymized' ? [content, blanked(content, 'DETAIL', 85)] : [content];
}

function auditRows(made: MadeAudit, { customerId, sandboxIds }: Owner): AuditRow[] {
  const { sandbox, provider, model, riskLevel, violations, fate } = made;
  const queued: AuditRow = {
    customerId,
    acceptedAt: iso(made.acceptedAt),
    auditId: auditIdOf(made),
    rank: 1,
    version: versionOf(1),
    sandboxId: sandboxIds[sandbox]!,
    sandboxSlug: SLUGS[sandbox]!,
    provider,
    model,
    source: fate === 'internal' ? 'INTERNAL' : 'INGEST',
    status: 'QUEUED',
    generation: 0,
    attempts: 0,
    riskLevel: null,
    violations: [],
    failureCode: null,
    completedAt: null,
    durationMs: null,
    steps: '[]',
    erased: false,
    topic: TRIPLETS.name,
    epoch: 1,
    partition: 0,
    offset: made.number,
  };
  const at = (rank: number, change: Partial<AuditRow>): AuditRow => ({
    ...queued,
    rank,
    version: versionOf(rank),
    ...change,
  });
  const retrying = at(2, { status: 'PROCESSING', attempts: 1 });
  const failed = at(4, {
    status: 'FAILED',
    failureCode: 'ANALYSIS_FAILED',
    completedAt: iso(made.createdAt),
  });
  const stored = at(1_000_000, {
    status: 'COMPLETED',
    riskLevel,
    violations: [...violations],
    topic: LEDGER.name,
  });
  const erased = { ...stored, erased: true, riskLevel: null, violations: [], provider: null, model: null };
  const gone = { ...erased, rank: 1_000_001, version: versionOf(1_000_001) };
  if (fate === 'queued') return [queued];
  if (fate === 'retrying') return [queued, retrying];
  if (fate === 'failed') return [queued, retrying, failed];
  if (fate === 'internal') return [stored];
  // A dead letter of an audit with a stored signal, as after a replay.
  const rows = [queued, failed, stored];
  return fate === 'erased' ? [...rows, gone] : rows;
}

const versionOf = (rank: number): string => String(BigInt(rank) << 40n);

/** The rows in the order of their inserts: repeated, out of order, each insert a separate part. */
export function insertsOf(
  audits: readonly MadeAudit[],
  owners: readonly Owner[],
): { readonly signals: SignalRow[]; readonly audits: AuditRow[] }[] {
  const inserts = Array.from({ length: 4 }, () => ({
    signals: [] as SignalRow[],
    audits: [] as AuditRow[],
  }));
  for (const made of audits) {
    const owner = owners[made.customer]!;
    const rows = [
      ...signalRows(made, owner).map((row) => ({ to: 'signals' as const, row })),
      ...auditRows(made, owner).map((row) => ({ to: 'audits' as const, row })),
    ];
    const repeated = made.repeats.flatMap((index) => rows[index] ?? []);
    for (const [index, { to, row }] of [...rows, ...repeated].entries()) {
      const insert = inserts[made.order[index % made.order.length]!]!;
      (insert[to] as object[]).push(row);
    }
  }
  return inserts;
}
