import { startBackgroundJob } from '#platform/flow/background-job.ts';
import { mapConcurrent } from '#platform/flow/map-concurrent.ts';
import { notePackageWork, packageWork } from '#records/packages/package-list.ts';
import { isDue, type PackageJobDependencies, runPackageRound } from './package-rounds.ts';
import { checkPackages, sweepPackages } from './sweep-packages.ts';

interface BuilderOptions extends Omit<PackageJobDependencies, 'stopping'> {
  /** Pause between checks of the work list, ms. */
  readonly everyMs?: number;
}

const EVERY_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** Packages that a process makes at once, of different customers. */
const BUILDS_AT_ONCE = 2;
/** Renewed while the work continues; this long after a process died, another one starts again. */
const LEASE_MS = 15_000;
const RENEW_MS = LEASE_MS / 3;
const SWEEP_EVERY_MS = 3_600_000;

const leaseOf = (customerId: string): string => `lease:packages:${customerId}`;

/** Makes packages in the background, lets them expire, and removes what is no longer needed. */
export function startPackageBuilder(options: BuilderOptions): { stop(): Promise<void> } {
  const { state, logger, now, everyMs = EVERY_MS } = options;
  const { documents, expiring } = state;
  let sweptAt = Number.NEGATIVE_INFINITY;

  const work = async (customerId: string, version: number, stopping: AbortSignal): Promise<void> => {
    const lease = leaseOf(customerId);
    // One process at a time, only to save work: each attempt has its own file, and one of them wins.
    if (!(await expiring.setIfAbsent(lease, 'taken', LEASE_MS))) return;
    const renewal = setInterval(() => {
      expiring.set(lease, 'taken', LEASE_MS).catch(() => undefined);
    }, RENEW_MS);
    try {
      const dueAt = await runPackageRound({ ...options, stopping }, customerId);
      await notePackageWork(documents, customerId, dueAt, version);
    } finally {
      clearInterval(renewal);
      await expiring.delete(lease);
    }
  };

  return startBackgroundJob({
    everyMs,
    maxPauseMs: MAX_PAUSE_MS,
    onFailure: (err) => logger.warn({ err }, 'failed to list due packages; retrying'),
    run: async (stopping) => {
      if (Math.abs(now() - sweptAt) >= SWEEP_EVERY_MS) {
        sweptAt = now();
        await sweepPackages(options, stopping);
        await checkPackages(options, stopping);
      }
      const due = (await packageWork(documents)).filter(({ dueAt }) => isDue(dueAt, now()));
      let clean = true;
      await mapConcurrent(
        due.sort((one, other) => one.dueAt - other.dueAt),
        BUILDS_AT_ONCE,
        async ({ customerId, version }) => {
          if (stopping.aborted) return;
          await work(customerId, version, stopping).catch((err: unknown) => {
            if (stopping.aborted) return;
            clean = false;
            logger.warn({ customerId, err }, 'failed to process packages; retrying');
          });
        },
      );
      return clean;
    },
  });
}
