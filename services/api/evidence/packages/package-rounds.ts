import { PACKAGE_BUDGETS } from '#core/plans/plans.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import { DamagedData, isRetryable } from '#platform/flow/service-error.ts';
import { PackageStorageFull, PackageStorageUnavailable } from '#platform/packages/port.ts';
import type { State } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Announce, EntryMaker } from '#records/changes/ledger-events.ts';
import { getCustomer } from '#records/customers/customers.ts';
import { currentCheckpoint, noteOf } from '#records/ledger/checkpoints.ts';
import { erasedSince } from '#records/packages/erased-since.ts';
import { expireErased } from '#records/packages/expire-erased.ts';
import { changePackageList, packageListOf, withPackage } from '#records/packages/package-list.ts';
import { isKept, type PackageFile, type PackageRecord, recordAt } from '#records/packages/package-record.ts';
import { bytesOf, changeInProgress, holdsSome } from '#records/packages/packages.ts';
import { type BuildDependencies, buildPackage, PackageRefused } from './build-package.ts';
import { finishPackage } from './finish-package.ts';

export type PackageJobDependencies = BuildDependencies & {
  readonly state: State;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** Fires when the process ends. */
  readonly stopping: AbortSignal;
};

/** Maximum interval at which existing packages are compared with erasures. */
const RECHECK_MS = 60_000;
/** A package that was started this often without finishing is given up. */
const MAX_ATTEMPTS = 10;
const NOTED_EVERY_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Pause while the storage of packages is unavailable. */
const STORAGE_WAIT_MS = 15_000;

/**
 * Whether packages need work now. No process schedules further ahead than this, so a later time means that the clock
 * was set back.
 */
export const isDue = (dueAt: number, now: number): boolean =>
  dueAt <= now || dueAt > now + Math.max(RECHECK_MS, LONGEST_WAIT_MS);

/** Does all work due for a customer's packages. Returns the time of the next check, Unix ms; null: never. */
export async function runPackageRound(
  dependencies: PackageJobDependencies,
  customerId: string,
): Promise<number | null> {
  const { state, packages, now, stopping } = dependencies;
  const { documents } = state;
  const customer = await getCustomer(documents, customerId);
  if (customer === null || customer.erasure !== undefined) {
    // Its records go with the customer's others; these files can no longer be downloaded.
    await packages.removeAll(customerId);
    return (await packageListOf(documents, customerId)).packages.length === 0 ? null : now() + RECHECK_MS;
  }
  await expireErased(dependencies, customerId);
  await removeEnded(dependencies, customerId);
  for (;;) {
    const packageList = await packageListOf(documents, customerId);
    const next = packageList.packages.find(({ status }) => status === 'GENERATING');
    if (next === undefined || stopping.aborted) break;
    const room = PACKAGE_BUDGETS[customer.plan].bytes - bytesOf(packageList.packages);
    const waitMs = await make(dependencies, customerId, next, { erasures: packageList.erasures, room });
    if (waitMs !== null) return now() + waitMs;
  }
  return nextCheck(dependencies, customerId);
}

const waitOf = ({ attempts }: PackageRecord): number => Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** attempts);

async function nextCheck({ state, now }: PackageJobDependencies, customerId: string): Promise<number | null> {
  const { packages } = await packageListOf(state.documents, customerId);
  const kept = packages.filter((one) => isKept(one) || one.file !== null);
  if (kept.length === 0) return null;
  return Math.min(now() + RECHECK_MS, ...kept.map(({ expiresAt }) => Date.parse(expiresAt)));
}

/** Records expired packages, and removes the files of ended ones. */
async function removeEnded(
  { state, packages, now, probe }: PackageJobDependencies,
  customerId: string,
): Promise<void> {
  const { documents } = state;
  const at = new Date(now()).toISOString();
  await changePackageList(documents, customerId, (packageList) => {
    const current = packageList.packages.map((record) => recordAt(record, at));
    const isChanged = current.some((record, number) => record !== packageList.packages[number]);
    return isChanged ? { shelf: { ...packageList, packages: current } } : null;
  });
  for (const { id, file, ...record } of (await packageListOf(documents, customerId)).packages) {
    if (file === null || isKept({ ...record, id, file })) continue;
    await packages.remove({ customerId, name: file.name });
    probe?.('api.package-removed');
    await changePackageList(documents, customerId, (packageList) => {
      const changed = withPackage(packageList, id, (one) => ({ ...one, file: null }));
      return changed === null ? null : { shelf: changed };
    });
  }
}

/** Makes a package. null: it ended, or starts again at once; otherwise the ms until the next attempt. */
async function make(
  dependencies: PackageJobDependencies,
  customerId: string,
  record: PackageRecord,
  { erasures, room }: { readonly erasures: number; readonly room: number },
): Promise<number | null> {
  const { state, packages, stopping, logger, warehouse } = dependencies;
  const { documents } = state;
  const change = (changes: Partial<PackageRecord>): Promise<boolean> =>
    changeInProgress(documents, customerId, record.id, (current) => ({ ...current, ...changes }));
  if (record.attempts >= MAX_ATTEMPTS)
    return fail(change, `Creating the package failed ${MAX_ATTEMPTS} times`);
  await change({ attempts: record.attempts + 1, progress: 0 });
  dependencies.probe?.('api.package-begun');
  let file: PackageFile;
  try {
    file = await buildPackage(dependencies, customerId, record, {
      maxBytes: room,
      stop: stopping,
      onProgress: notedProgress(dependencies, change),
    });
  } catch (error) {
    // The end of the process is not the package's fault.
    if (stopping.aborted) return change({ attempts: record.attempts }).then(() => waitOf(record));
    if (await isErasedSince(dependencies, customerId, record))
      return restarted(dependencies, customerId, record, change);
    if (error instanceof PackageRefused) return fail(change, error.message);
    logger.warn({ customerId, packageId: record.id, err: error }, 'failed to build package');
    if (error instanceof PackageStorageFull)
      return fail(change, 'No space left for packages. Contact the operator.');
    // An outage, however long, is not the package's fault either.
    if (error instanceof PackageStorageUnavailable)
      return change({ attempts: record.attempts, progress: 0 }).then(() => STORAGE_WAIT_MS);
    if (error instanceof DamagedData)
      return fail(change, 'Required ledger entries are damaged. An operator must restore them.');
    if (isRetryable(error) || error instanceof Refusal) return waitOf(record);
    throw error;
  }
  const erased = await erasedSince(warehouse, customerId, record.basis.size);
  const at = new Date(dependencies.now()).toISOString();
  const isDone =
    !holdsSome(file, erased) &&
    (await finishPackage({ ...dependencies, documents }, { customerId, record, file, erasures, at }));
  if (isDone) dependencies.probe?.('api.package-ready');
  else await packages.remove({ customerId, name: file.name });
  return isDone ? null : restarted(dependencies, customerId, record, change);
}

type Change = (changes: Partial<PackageRecord>) => Promise<boolean>;

const fail = async (change: Change, failure: string): Promise<null> => {
  await change({ status: 'FAILED', failure });
  return null;
};

const isErasedSince = async (
  { warehouse }: PackageJobDependencies,
  customerId: string,
  { basis }: PackageRecord,
): Promise<boolean> => (await erasedSince(warehouse, customerId, basis.size)).length > 0;

/** Its source has changed, so it starts again from the current ledger. */
async function restarted(
  dependencies: PackageJobDependencies,
  customerId: string,
  record: PackageRecord,
  change: Change,
): Promise<number | null> {
  const checkpoint = await currentCheckpoint(dependencies, customerId);
  if (checkpoint === null) return waitOf(record);
  const note = noteOf(dependencies, customerId, checkpoint);
  await change({ basis: { ...checkpoint, note }, progress: 0 });
  return null;
}

/** Saves progress periodically; best effort. */
function notedProgress({ now }: PackageJobDependencies, change: Change): (progress: number) => void {
  let notedAt = now();
  return (progress) => {
    if (Math.abs(now() - notedAt) < NOTED_EVERY_MS) return;
    notedAt = now();
    // Below 1 until it can be downloaded.
    change({ progress: Math.min(0.99, Math.round(progress * 100) / 100) }).catch(() => undefined);
  };
}
