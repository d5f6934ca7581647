import type { Catalogue, Control } from '#core/evidence/frameworks/catalogues.ts';
import type { LedgerFacts, MappedFacts, ScopeFacts } from '#core/evidence/frameworks/facts.ts';
import {
  type IncidentOfSignal,
  incidentFacts,
  isHigh,
  isMapped,
} from '#core/evidence/frameworks/mapped-signals.ts';
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
} from '#platform/warehouse/queries/attestations.ts';
import { incidentsBelow } from '#platform/warehouse/queries/incidents.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import type { Framework, GuardianAction, RedactionStrategy } from '#schemas/vocabulary.ts';
import { verifiedLedger } from '../verify/verified-ledger.ts';
import { rulesOf, scopesOf } from './count-plan.ts';
import { countsOf } from './counts.ts';

export interface FactDependencies {
  readonly warehouse: Warehouse;
  readonly state: { readonly documents: Documents };
}

/** Up to where the ledger counts. */
interface AsOf {
  /** Number of entries. */
  readonly size: number;
  /** Unix ms. */
  readonly at: number;
}

interface Facts {
  readonly ledger: LedgerFacts;
  scopeOf(framework: Framework): ScopeFacts;
  /** Null for a control that no signal counts against. */
  mappedOf(framework: Framework, control: Control): MappedFacts | null;
}

/** Length of the two windows that a trend compares. */
const TREND_MS = 30 * 86_400_000;
const LETS_THROUGH: GuardianAction = 'ALLOW_ALL';

/** Everything that the controls of these catalogues are judged by. */
export async function readFacts(
  { warehouse, state }: FactDependencies,
  customerId: string,
  catalogues: readonly Catalogue[],
  { size, at }: AsOf,
  range: DateRange,
): Promise<Facts> {
  const counted: CountedSignals = { customerId, below: size, ...range };
  const sandboxes = await sandboxesBelow(warehouse, customerId, size);
  const scopes = scopesOf(catalogues, sandboxes);
  const rules = rulesOf(catalogues, scopes.numberOf);
  const end = Math.min(range.to ?? at, at);
  const plan = {
    ...counted,
    scopes: scopes.ids,
    protecting: sandboxes.filter(protects).map(({ sandboxId }) => sandboxId),
    rules: rules.list,
    withProviders: catalogues.some(({ controls }) =>
      controls.some(({ checks }) => checks.includes('providerRates')),
    ),
    olderFrom: Math.max(0, end - 2 * TREND_MS),
    newerFrom: Math.max(0, end - TREND_MS),
  };
  const [rows, incidents, verified] = await Promise.all([
    countForControls(warehouse, plan),
    readIncidents(warehouse, counted),
    verifiedLedger(state.documents, customerId),
  ]);
  const ids = await entryIdsAt(warehouse, customerId, [...new Set(rows.flatMap(({ samples }) => samples))]);
  const counts = countsOf(rows);
  const inScope = (number: number) => {
    const named = scopes.ids[number] ?? null;
    return incidents.filter(({ signal }) => named === null || named.includes(signal.sandboxId));
  };
  return {
    ledger: {
      verifiedEntries: Math.min(verified.size, size),
      brokenAt: verified.broken,
      rehashedAt: verified.pieces.reduce<number | null>((last, piece) => Math.max(last ?? 0, piece.at), null),
      checkpointAt: at,
    },
    scopeOf: (framework) => {
      const number = scopes.numberOf(framework);
      const named = scopes.ids[number] ?? null;
      return {
        ...counts.scope(number),
        scope: named === null ? 'ALL' : 'NAMED',
        sandboxes: sandboxes
          .filter(({ inUse, sandboxId }) => inUse && (named === null || named.includes(sandboxId)))
          .map((sandbox) => ({
            guardianAction: sandbox.guardianAction as GuardianAction,
            redactionStrategy: sandbox.redactionStrategy as RedactionStrategy,
          })),
        incidents: incidentFacts(inScope(number).map(({ incident }) => incident)),
      };
    },
    mappedOf: (framework, { mapping }) => {
      if (mapping === null) return null;
      const number = scopes.numberOf(framework);
      const mapped = inScope(number).filter(({ signal }) => isMapped(mapping, signal));
      return {
        ...counts.rule(rules.numberOf(number, mapping), number, ids),
        incidents: incidentFacts(mapped.map(({ incident }) => incident)),
      };
    },
  };
}

const protects = ({ guardianAction }: StoredSandbox): boolean => guardianAction !== LETS_THROUGH;

/** Incidents whose signals are counted, with what the signals say. */
async function readIncidents(
  warehouse: Warehouse,
  counted: CountedSignals,
): Promise<{ readonly signal: MarkedSignal; readonly incident: IncidentOfSignal }[]> {
  const known = await incidentsBelow(warehouse, counted.customerId, counted.below);
  const ids = [...new Set(known.map(({ signalId }) => signalId))];
  const signals = new Map(
    (await markedSignals(warehouse, counted, ids)).map((signal) => [signal.auditId, signal]),
  );
  return known.flatMap(({ signalId, status }) => {
    const signal = signals.get(signalId);
    return signal === undefined ? [] : [{ signal, incident: { signalId, status, isHigh: isHigh(signal) } }];
  });
}
