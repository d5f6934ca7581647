import { Refusal } from '#platform/flow/refusal.ts';
import { type AuditorView, showsPackage } from '#records/auditors/auditor-view.ts';
import type { PackageRecord } from '#records/packages/package-record.ts';
import { packagesAt } from '#records/packages/packages.ts';
import type { EvidencePackage } from '#schemas/api/evidence/packages.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import { holds, pageOfIds } from '../../operations/paging.ts';
import { type FaultDependencies, noteMissingFiles } from './file-faults.ts';

/** `view`: only packages visible to an auditor's token. */
async function packagesNow(
  dependencies: FaultDependencies,
  customerId: string,
  view?: AuditorView,
): Promise<PackageRecord[]> {
  const { state, now } = dependencies;
  await noteMissingFiles(dependencies, customerId);
  const all = await packagesAt(state.documents, customerId, new Date(now()).toISOString());
  return view === undefined ? all : all.filter((record) => showsPackage(view, record));
}

export async function packageById(
  dependencies: FaultDependencies,
  customerId: string,
  id: string,
  view?: AuditorView,
): Promise<PackageRecord> {
  const found = (await packagesNow(dependencies, customerId, view)).find((one) => one.id === id);
  if (found === undefined) throw new Refusal('NOT_FOUND');
  return found;
}

export async function listPackages(
  dependencies: FaultDependencies,
  customerId: string,
  { range, ...request }: PageRequest & { readonly range: DateRange },
  view?: AuditorView,
): Promise<{ data: EvidencePackage[]; pagination: Pagination }> {
  const packages = await packagesNow(dependencies, customerId, view);
  const all = new Map(packages.filter((one) => holds(range, one.createdAt)).map((one) => [one.id, one]));
  const { rows, pagination } = pageOfIds([...all.keys()].sort(), request);
  return { data: rows.map((id) => shownPackage(all.get(id)!)), pagination };
}

export function shownPackage({
  basis,
  file,
  attempts: _attempts,
  createdByKeyId: _keyId,
  ...record
}: PackageRecord): EvidencePackage {
  const isReady = record.status === 'READY';
  return {
    ...record,
    sizeBytes: isReady ? (file?.sizeBytes ?? null) : null,
    sha256: isReady ? (file?.sha256 ?? null) : null,
    checkpoint: basis.note,
  };
}
