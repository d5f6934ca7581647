import { createHash } from 'node:crypto';
import { verifyPackage } from '#core/evidence/package/verify-package.ts';
import { getCustomer } from '#records/customers/customers.ts';
import { packageListOf } from '#records/packages/package-list.ts';
import type { PackageRecord } from '#records/packages/package-record.ts';
import { packageContent } from '#services/api/evidence/packages/package-content.ts';
import { planPackage } from '#services/api/evidence/packages/package-plan.ts';
import { sweepPackages } from '#services/api/evidence/packages/sweep-packages.ts';
import { bytesOf, filesOf } from '../dependencies/packages.ts';
import { erasedSalts } from '../erased.ts';
import { VERIFY_PAGE } from '../nodes/api.ts';
import { NOTE_KEYS } from '../nodes/signing-key.ts';
import type { World } from '../world-of-run.ts';
import { closedCustomers, whoseLedgerWaits } from './confirmed.ts';

/**
 * Acceptable failures of a package: every attempt was interrupted, or an older state lists one whose file was removed
 * since.
 */
const CUT_OFF = /^Creating the package failed \d+ times/;
const GONE_SINCE = /^The file of the package is missing/;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Each requested package ends. A downloadable package is complete, verifies, matches its ledger entry, and has the
 * bytes that rebuilding it from the same checkpoint gives; packages of the same request and checkpoint are equal. No
 * file contains erased content, nor does any download requested after the erasure.
 */
export async function packageFaults(world: World): Promise<string[]> {
  const closed = await closedCustomers(world);
  const { packages: folder, state, promised } = world;
  await sweepPackages({ packages: filesOf(folder), state: state.state }, new AbortController().signal);
  const faults = [...downloadFaults(world)];
  for (const { customerId } of promised.customers) {
    faults.push(...(await leftFaults(world, customerId)));
    if (closed.has(customerId)) continue;
    const { packages } = await packageListOf(state.state.documents, customerId);
    faults.push(...endFaults(world, customerId, packages), ...differing(packages));
    for (const record of packages.filter(({ status }) => status === 'READY'))
      faults.push(...(await readyFaults(world, customerId, record)));
  }
  return faults;
}

const downloadFaults = ({ promised }: World): string[] =>
  promised.downloads.flatMap(({ packageId, isWhole, erased }) => [
    ...(isWhole ? [] : [`a download of package ${packageId} is not what its record says`]),
    ...erased.map(
      (auditId) => `a download of package ${packageId} holds ${auditId}, which was erased before`,
    ),
  ]);

/** Erased content in files, including files without a record. */
async function leftFaults({ packages: folder, store, state }: World, customerId: string): Promise<string[]> {
  const customer = await getCustomer(state.state.documents, customerId);
  const files = [...(folder.get(customerId) ?? [])];
  if (customer?.erasure?.status === 'COMPLETED')
    return files.map(([name]) => `file ${name} of an erased customer is there`);
  const salts = files.length === 0 ? [] : [...erasedSalts(store, customerId)];
  return files.flatMap(([name, pieces]) => {
    const bytes = Buffer.concat(pieces);
    return salts
      .filter(([salt]) => bytes.includes(salt))
      .map(([, auditId]) => `file ${name} holds ${auditId}, which was erased`);
  });
}

function endFaults(
  { promised, restoredAt }: World,
  customerId: string,
  packages: readonly PackageRecord[],
): string[] {
  const asked = promised.packages.filter(
    (one) => one.customerId === customerId && (restoredAt === null || one.atMs > restoredAt),
  );
  const missing = asked.filter(({ packageId }) => !packages.some(({ id }) => id === packageId));
  return [
    ...missing.map(({ packageId }) => `package ${packageId} was confirmed and is not in the state`),
    ...packages
      .filter(({ status, failure }) => status === 'FAILED' && !CUT_OFF.test(failure ?? ''))
      .filter(({ failure }) => restoredAt === null || !GONE_SINCE.test(failure ?? ''))
      .map(({ id, failure }) => `package ${id} failed: ${failure}`),
  ];
}

/** The digest of a package in the ledger. */
function recordedDigest({ store }: World, customerId: string, packageId: string): string | undefined {
  const entry = store.rows.entries.find(
    (row) =>
      row.customerId === customerId && row.kind === 'EVIDENCE_EVENT' && row.id === `package:${packageId}`,
  );
  return (JSON.parse(entry?.core ?? '{}') as { sha256?: string }).sha256;
}

/** Packages of the same request and checkpoint with different bytes. */
function differing(packages: readonly PackageRecord[]): string[] {
  const digests = new Map<string, string>();
  return packages.flatMap(({ id, file, basis, ...record }) => {
    if (file === null) return [];
    const { framework, startDate, endDate, includeIncidents, includeHashChain } = record;
    const of = [
      basis.note,
      basis.issuedAt,
      framework,
      startDate,
      endDate,
      includeIncidents,
      includeHashChain,
    ];
    const known = digests.get(of.join()) ?? file.sha256;
    digests.set(of.join(), known);
    return known === file.sha256 ? [] : [`package ${id} differs from another one of the same checkpoint`];
  });
}

async function readyFaults(world: World, customerId: string, record: PackageRecord): Promise<string[]> {
  const { packages: folder, supervisor } = world;
  const { id, file } = record;
  const pieces = folder.get(customerId)?.get(file?.name ?? '');
  if (pieces === undefined || file === null) return [`package ${id} is READY and has no file`];
  const faults: string[] = [];
  const bytes = Buffer.concat(pieces);
  if (sha256(bytes) !== file.sha256 || bytes.length !== file.sizeBytes)
    faults.push(`the file of package ${id} is not what its record says`);
  const verdict = await verifyPackage(bytesOf(pieces), NOTE_KEYS);
  faults.push(...verdict.faults.map((fault) => `package ${id}: ${fault.file}: ${fault.reason}`));
  const recorded = recordedDigest(world, customerId, id);
  if (recorded !== file.sha256 && world.restoredAt === null && !whoseLedgerWaits(world)(customerId))
    faults.push(`package ${id} is READY, and the ledger tells of ${recorded ?? 'none'}`);
  const api = supervisor.api();
  if (api === null) return faults;
  const plan = await planPackage(api.warehouse, customerId, record);
  const rebuilt: Buffer[] = [];
  const content = await packageContent({ ...api, verifyPage: VERIFY_PAGE }, plan, () => undefined);
  for await (const piece of content) rebuilt.push(piece);
  if (sha256(Buffer.concat(rebuilt)) !== file.sha256)
    faults.push(`package ${id} has other bytes when it is made again of the same checkpoint`);
  return faults;
}
