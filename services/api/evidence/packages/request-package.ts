import { PACKAGE_BUDGETS, packageLimitReached } from '#core/plans/plans.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import { areOfPackages } from '#platform/warehouse/queries/evidence/packages.ts';
import { type CheckpointDependencies, currentCheckpoint, noteOf } from '#records/ledger/checkpoints.ts';
import type { PackageBasis, PackageRecord } from '#records/packages/package-record.ts';
import { requestPackage } from '#records/packages/packages.ts';
import type { EvidencePackage, NewPackage } from '#schemas/api/evidence/packages.ts';
import type { Caller } from '../../operations/caller.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import type { Made, Once } from '../../operations/once.ts';
import { noteMissingFiles } from './file-faults.ts';
import { shownPackage } from './read-packages.ts';

type RequestDependencies = CheckpointDependencies &
  Pick<ApiDependencies, 'state' | 'warehouse' | 'logger' | 'now' | 'newId' | 'packages'>;

const DAY_MS = 86_400_000;
/** How long a package can be downloaded. */
const KEPT_DAYS = 30;
const RETRY_SECONDS = 10;
const OFF_SECONDS = 60;

export function packagesOff(): Refusal {
  return new Refusal('PACKAGES_OFF', { retryAfterSeconds: OFF_SECONDS });
}

/** Requests a package from the newest checkpoint, or shows an existing one with the same content. */
export async function createPackage<Answered>(
  dependencies: RequestDependencies,
  { customerId, customer, madeBy }: Caller,
  input: NewPackage,
  once: Once<Made<EvidencePackage>, Answered>,
): Promise<Answered> {
  const { state, packages, warehouse } = dependencies;
  const { documents } = state;
  if (packages === undefined) throw packagesOff();
  // A package without its file answers no request.
  await noteMissingFiles(dependencies, customerId);
  return once(async ({ id, at }) => {
    const basis = await basisOf(dependencies, customerId);
    const record = newRecord(input, { id, at, madeBy, basis });
    const requested = await requestPackage(documents, {
      customerId,
      record,
      budget: PACKAGE_BUDGETS[customer.plan],
      // Ledger entries about packages do not make a different package.
      isSameLedger: async ({ basis: { epoch, size } }) =>
        epoch === basis.epoch &&
        size <= basis.size &&
        areOfPackages(warehouse, customerId, { from: size, to: basis.size }),
    });
    if (requested.ok) return { data: shownPackage(requested.record), isNew: requested.isNew };
    switch (requested.reason) {
      case 'UNDER_WAY':
        throw new Refusal('PACKAGES_UNDER_WAY', { retryAfterSeconds: RETRY_SECONDS });
      case 'ERASED':
        throw new Refusal('INVALID_KEY');
      case 'BUDGET':
        throw new Refusal('PACKAGE_LIMIT_REACHED', { message: packageLimitReached(customer.plan) });
    }
  });
}

async function basisOf(dependencies: RequestDependencies, customerId: string): Promise<PackageBasis> {
  const checkpoint = await currentCheckpoint(dependencies, customerId);
  if (checkpoint === null) throw new Refusal('NOT_FOUND', { message: 'The ledger has no entries yet' });
  return { ...checkpoint, note: noteOf(dependencies, customerId, checkpoint) };
}

interface Origin {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly madeBy: string;
  readonly basis: PackageBasis;
}

const newRecord = (
  { framework, from, to, includeIncidents, includeHashChain }: NewPackage,
  { id, at, madeBy, basis }: Origin,
): PackageRecord => ({
  id,
  framework,
  startDate: new Date(from).toISOString(),
  endDate: new Date(to).toISOString(),
  includeIncidents,
  includeHashChain,
  basis,
  status: 'GENERATING',
  progress: 0,
  createdAt: at,
  createdByKeyId: madeBy,
  expiresAt: new Date(Date.parse(at) + KEPT_DAYS * DAY_MS).toISOString(),
  attempts: 0,
  failure: null,
  file: null,
});
