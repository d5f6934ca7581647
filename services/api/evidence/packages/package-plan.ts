import { CATALOGUES } from '#core/evidence/frameworks/catalogues.ts';
import type { LeafRange } from '#core/evidence/tree/ranges.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { sandboxesBelow } from '#platform/warehouse/queries/evidence/attestations.ts';
import {
  entriesOfPeriod,
  type PackedRange,
  type PackedSignals,
  packedIncidentMoves,
  packedSignals,
} from '#platform/warehouse/queries/evidence/packages.ts';
import { scopesOf } from '#records/attestations/count-plan.ts';
import type { PackageRecord } from '#records/packages/package-record.ts';

/** The contents of a package, planned before any of it is read. */
export interface PackagePlan {
  readonly customerId: string;
  readonly record: PackageRecord;
  readonly selection: PackedSignals;
  /** null: none. */
  readonly signals: PackedRange | null;
  /** null: none, or not requested. */
  readonly moves: PackedRange | null;
  /** Entries of the hash chain: those of the period, of the signals, and of the actions on them. */
  readonly entries: LeafRange;
}

export async function planPackage(
  warehouse: Warehouse,
  customerId: string,
  record: PackageRecord,
): Promise<PackagePlan> {
  const { framework, basis, includeIncidents, includeHashChain } = record;
  const [from, to] = [Date.parse(record.startDate), Date.parse(record.endDate)];
  const catalogues = CATALOGUES.filter((one) => one.framework === framework);
  const sandboxes = await sandboxesBelow(warehouse, customerId, basis.size);
  const scopes = scopesOf(catalogues, sandboxes, false);
  const selection = {
    customerId,
    below: basis.size,
    from,
    to,
    sandboxes: scopes.ids[scopes.numberOf(framework)] ?? null,
  };
  const signals = await packedSignals(warehouse, selection);
  const moves = includeIncidents && signals !== null ? await packedIncidentMoves(warehouse, selection) : null;
  const period = includeHashChain
    ? await entriesOfPeriod(warehouse, customerId, { below: basis.size, from, to })
    : null;
  const entries = includeHashChain ? covering([signals, moves, period]) : { from: 0, to: 0 };
  return { customerId, record, selection, signals, moves, entries };
}

function covering(ranges: readonly (PackedRange | null)[]): LeafRange {
  const known = ranges.filter((range) => range !== null);
  if (known.length === 0) return { from: 0, to: 0 };
  return {
    from: Math.min(...known.map(({ first }) => first)),
    to: Math.max(...known.map(({ last }) => last)) + 1,
  };
}

/** First and last index with content in the package; null: none. */
export function heldBy({ signals, moves }: PackagePlan): readonly [number, number] | null {
  const { from, to } = covering([signals, moves]);
  return to === 0 ? null : [from, to - 1];
}
