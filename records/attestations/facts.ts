import type { Catalogue, Control } from '#core/evidence/frameworks/catalogues.ts';
import type { LedgerFacts, MappedFacts, ScopeFacts } from '#core/evidence/frameworks/facts.ts';
import {
  type IncidentOfSignal,
  incidentFacts,
  isHigh,
  isMapped,
} from '#core/evidence/frameworks/mapped-signals.ts';
import type { Triage } from '#core/evidence/frameworks/triage.ts';
import type { Documents } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  type CountedSignals,
  countForControls,
  entryIdsAt,
  type MarkedSignal,
  markedSignals,
  type StoredSandbox,
  sandboxesBelow,
} from '#platform/warehouse/queries/evidence/attestations.ts';
import { incidentsBelow } from '#platform/warehouse/queries/evidence/incidents.ts';
import {
  actingPolicies,
  countRecorded,
  type RecordedCounts,
} from '#platform/warehouse/queries/evidence/recorded-rules.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import type { Framework, GuardianAction, RedactionStrategy } from '#schemas/vocabulary.ts';
import { verifiedLedger } from '../ledger/verified-ledger.ts';
import { rulesOf, scopesOf } from './count-plan.ts';
import { countsOf } from './counts.ts';

export interface FactDependencies {
  readonly warehouse: Warehouse;
  readonly state: { readonly documents: Documents };
}

/** The part of the ledger that counts. */
interface AsOf {
  /** Number of entries. */
  readonly size: number;
  /** Unix ms. */
  readonly at: number;
}

export interface CountedBasis {
  readonly catalogues: readonly Catalogue[];
  readonly range: DateRange;
  /** If no sandbox names a framework, none of its signals count, instead of all. */
  readonly namedOnly: boolean;
  /** Whether to include ids of sample signals per control. */
  readonly withSamples: boolean;
}

interface Facts {
  readonly ledger: LedgerFacts;
  scopeOf(framework: Framework): ScopeFacts;
  /** null for a control without a mapping. */
  mappedOf(framework: Framework, control: Control): MappedFacts | null;
}

/** Length of the two windows that a trend compares. */
const TREND_MS = 30 * 86_400_000;
const LETS_THROUGH: GuardianAction = 'ALLOW_ALL';

/** All facts for judging the controls of these catalogues. */
export async function readFacts(
  { warehouse, state }: FactDependencies,
  customerId: string,
  { catalogues, range, namedOnly, withSamples }: CountedBasis,
  { size, at }: AsOf,
): Promise<Facts> {
  const counted: CountedSignals = { customerId, below: size, ...range };
  const sandboxes = await sandboxesBelow(warehouse, customerId, size);
  const scopes = scopesOf(catalogues, sandboxes, namedOnly);
  const rules = rulesOf(catalogues, scopes.numberOf);
  const plan = {
    ...counted,
    scopes: scopes.ids,
    protecting: sandboxes.filter(protects).map(({ sandboxId }) => sandboxId),
    rules: rules.list,
    withProviders: catalogues.some(({ controls }) =>
      controls.some(({ checks }) => checks.includes('providerRates')),
    ),
    withSamples,
    ...trendFrom(Math.min(range.to ?? at, at)),
  };
  const [rows, incidents, verified, policies, recorded] = await Promise.all([
    countForControls(warehouse, plan),
    readIncidents(warehouse, counted),
    verifiedLedger(state.documents, customerId),
    actingPolicies(warehouse, customerId, size),
    countRecorded(warehouse, counted),
  ]);
  const ids = await entryIdsAt(warehouse, customerId, [...new Set(rows.flatMap(({ samples }) => samples))]);
  const counts = countsOf(rows);
  const incidentsOf = (known: typeof incidents) =>
    incidentFacts(
      known.map(({ incident }) => incident),
      at,
    );
  const inScope = (number: number) => {
    const named = scopes.ids[number] ?? null;
    return incidents.filter(({ signal }) => named === null || named.includes(signal.sandboxId));
  };
  return {
    ledger: {
      ...verifiedFacts(verified, size),
      checkpointAt: at,
      ...recordedFacts(policies, recorded),
    },
    scopeOf: (framework) => {
      const number = scopes.numberOf(framework);
      const named = scopes.ids[number] ?? null;
      return {
        ...counts.scope(number),
        scope: named === null ? 'ALL' : 'NAMED',
        sandboxes: usedSandboxes(sandboxes, named),
        incidents: incidentsOf(inScope(number)),
      };
    },
    mappedOf: (framework, { mapping }) => {
      if (mapping === null) return null;
      const number = scopes.numberOf(framework);
      const mapped = inScope(number).filter(({ signal }) => isMapped(mapping, signal));
      return {
        ...counts.rule(rules.numberOf(number, mapping), number, ids),
        incidents: incidentsOf(mapped),
      };
    },
  };
}

/** Starts of the two windows of a trend that ends at `end`, Unix ms. */
const trendFrom = (end: number): { readonly olderFrom: number; readonly newerFrom: number } => ({
  olderFrom: Math.max(0, end - 2 * TREND_MS),
  newerFrom: Math.max(0, end - TREND_MS),
});

const verifiedFacts = (
  { size, broken, pieces }: Awaited<ReturnType<typeof verifiedLedger>>,
  below: number,
): Pick<LedgerFacts, 'verifiedEntries' | 'brokenAt' | 'rehashedAt'> => ({
  verifiedEntries: Math.min(size, below),
  brokenAt: broken,
  rehashedAt: pieces.reduce<number | null>((last, piece) => Math.max(last ?? 0, piece.at), null),
});

const recordedFacts = (
  policies: Awaited<ReturnType<typeof actingPolicies>>,
  { auditorCalls, packages, byRetention, asked }: RecordedCounts,
): Omit<LedgerFacts, keyof ReturnType<typeof verifiedFacts> | 'checkpointAt'> => ({
  auditorCalls,
  packages,
  policies: policies.filter(({ type }) => type === 'POLICY').length,
  retentionPolicies: policies.flatMap(({ type, framework, retentionDays }) =>
    type === 'RETENTION' ? [{ framework: framework as Framework | null, retentionDays }] : [],
  ),
  retentionErasures: byRetention,
  askedErasures: asked,
});

/** Sandboxes in use, of `named` or of all. */
const usedSandboxes = (
  sandboxes: readonly StoredSandbox[],
  named: readonly string[] | null,
): ScopeFacts['sandboxes'] =>
  sandboxes
    .filter(({ inUse, sandboxId }) => inUse && (named === null || named.includes(sandboxId)))
    .map(({ guardianAction, redactionStrategy }) => ({
      guardianAction: guardianAction as GuardianAction,
      redactionStrategy: redactionStrategy as RedactionStrategy,
    }));

const protects = ({ guardianAction }: StoredSandbox): boolean => guardianAction !== LETS_THROUGH;

/** Incidents of the counted signals, with the relevant fields of the signals. */
async function readIncidents(
  warehouse: Warehouse,
  counted: CountedSignals,
): Promise<{ readonly signal: MarkedSignal; readonly incident: IncidentOfSignal & Triage }[]> {
  const known = await incidentsBelow(warehouse, counted.customerId, counted.below);
  const ids = [...new Set(known.map(({ signalId }) => signalId))];
  const signals = new Map(
    (await markedSignals(warehouse, counted, ids)).map((signal) => [signal.auditId, signal]),
  );
  return known.flatMap(({ signalId, status, openedAt, judgedAt }) => {
    const signal = signals.get(signalId);
    if (signal === undefined) return [];
    const triage = {
      openedAt: Date.parse(openedAt),
      judgedAt: judgedAt === '' ? null : Date.parse(judgedAt),
    };
    return [{ signal, incident: { signalId, status, isHigh: isHigh(signal), ...triage } }];
  });
}
