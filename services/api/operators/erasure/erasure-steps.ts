import type { PackageFiles } from '#platform/packages/port.ts';
import type { Probe } from '#platform/process/probe.ts';
import { CACHE_MS } from '#platform/sealing/keyring.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import { CUSTOMERS, type StoredDocument } from '#platform/state/port.ts';
import { foldedIndex } from '#platform/warehouse/queries/folded.ts';
import { endsOfAccepted, listHasStored, oldestUnstored } from '#records/audits/list-lag.ts';
import { signalClaimsOf } from '#records/audits/signal-claims.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import type { ErasurePhase, ErasureProgress } from '#records/erasure/erasure-record.ts';
import {
  advanceErasure,
  cleanRecords,
  completeErasure,
  type ErasureDependencies,
  erasureListed,
  erasureProgress,
  forgetErasure,
  forgetUnstarted,
  nameNextEntries,
} from '#records/erasure/erasures.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import type { RequestsInProgress } from '../../operations/requests-in-progress.ts';
import type { PhaseWaits } from './phase-waits.ts';

export type ErasureStepDependencies = ErasureDependencies &
  Pick<ApiDependencies, 'state' | 'log' | 'warehouse' | 'now' | 'logger'> & {
    readonly keyring: Pick<Keyring, 'destroy'>;
    readonly probe?: Probe | undefined;
    /**
     * Whether a request that may append an audit of the customer is in progress: its own, or a platform signal about
     * it. Only set if no other process serves requests, so that this one knows of all; without it the erasure waits for
     * the longest possible request.
     */
    readonly isInProgress?: RequestsInProgress['isInProgress'];
    readonly waits: PhaseWaits;
    /** Storage of evidence packages; absent: none are made. */
    readonly packages?: Pick<PackageFiles, 'removeAll'>;
    /** Fires when the process ends. */
    readonly stopping: AbortSignal;
  };

/** After this time, requests admitted before the customer was refused have reached the log or never will. */
const LATE_REQUEST_MS = 60_000;
/** A request that put its erasure on the work list starts it much sooner than this, or never. */
const UNBEGUN_MS = 15 * 60_000;
/** Other processes use a destroyed key for a while; the records that they check must stay for that long. */
const KEY_LINGERS_MS = 2 * CACHE_MS;

/**
 * `done`: the next step can start at once. `waits`: for the sink, the clock or another process. `ended`: nothing left
 * to do.
 */
type StepOutcome = 'done' | 'waits' | 'ended';

interface Erasure {
  readonly customerId: string;
  readonly stored: StoredDocument<ErasureProgress>;
}

/** Takes one step of a customer's erasure. The step may already have been taken, partly or by another process. */
export async function erasureStep(
  dependencies: ErasureStepDependencies,
  customerId: string,
): Promise<StepOutcome> {
  const stored = await erasureProgress(dependencies.documents, customerId);
  if (stored === null) return withoutProgress(dependencies, customerId);
  return STEPS[stored.value.phase](dependencies, { customerId, stored });
}

/**
 * The erasure is complete except for its entry in the work list, or was never started. In the second case a request may
 * be about to start it; after a long time that request has failed, and its client has not tried again.
 */
async function withoutProgress(
  { documents, waits }: ErasureStepDependencies,
  customerId: string,
): Promise<StepOutcome> {
  const listed = await erasureListed(documents, customerId);
  const ref = { scope: customerId, collection: CUSTOMERS, id: customerId };
  const record = (await documents.get<CustomerRecord>(ref))?.value;
  if (record?.erasure?.status === 'COMPLETED') await forgetErasure(documents, customerId);
  if (record?.erasure !== undefined || listed === null) return 'ended';
  const wait = { phase: `version ${listed.version}`, untilMs: Infinity, limitMs: UNBEGUN_MS };
  if (waits.isOver(customerId, wait)) await forgetUnstarted(documents, customerId, listed);
  return 'ended';
}

const STEPS: Readonly<
  Record<ErasurePhase, (dependencies: ErasureStepDependencies, erasure: Erasure) => Promise<StepOutcome>>
> = {
  CLOSING: async (dependencies, { customerId, stored }) => {
    const closedAt = await foldedIndex(dependencies.warehouse, customerId, stored.value.awaited ?? '');
    if (closedAt === null) return 'waits';
    return advance(dependencies, { customerId, stored }, { phase: 'NAMING', awaited: null, closedAt });
  },

  // The closing entry names nothing itself, and is named with the others so that its own detail is erased too.
  NAMING: async (dependencies, { customerId, stored }) => {
    const { awaited, namedBelow, closedAt } = stored.value;
    if (awaited !== null && (await foldedIndex(dependencies.warehouse, customerId, awaited)) === null)
      return 'waits';
    if (namedBelow > (closedAt ?? -1)) {
      if (!(await isListed(dependencies, customerId, stored.value))) return 'waits';
      return advance(dependencies, { customerId, stored }, { phase: 'REMOVING', awaited: null });
    }
    // One at a time: folding each reads and writes thousands of rows, and other customers share the partition.
    const named = await nameNextEntries(
      dependencies,
      customerId,
      stored,
      new Date(dependencies.now()).toISOString(),
    );
    dependencies.probe?.('api.erasure-named');
    return named ? 'done' : 'waits';
  },

  REMOVING: async () => 'waits',

  DESTROYING: async (dependencies, { customerId, stored }) => {
    await dependencies.keyring.destroy(customerId);
    dependencies.probe?.('api.erasure-key-destroyed');
    const destroyedAt = new Date(dependencies.now()).toISOString();
    return advance(dependencies, { customerId, stored }, { phase: 'CLEANING', destroyedAt });
  },

  CLEANING: async (dependencies, { customerId, stored }) => {
    const lingers = {
      untilMs: Date.parse(stored.value.destroyedAt ?? '') + KEY_LINGERS_MS,
      limitMs: KEY_LINGERS_MS,
    };
    if (!dependencies.waits.isOver(customerId, { phase: 'CLEANING', ...lingers })) return 'waits';
    await cleanRecords(dependencies.documents, customerId);
    // Without their records, packages can no longer be made or downloaded.
    await dependencies.packages?.removeAll(customerId);
    await dependencies.state.admission.removeAdmittedCount(customerId);
    // A sink removes marks of stored audits; if it was killed before that, they expire. Claims of platform signals
    // would be kept for a day.
    const remains = { customerId, expiringPrefix: signalClaimsOf(customerId) };
    await dependencies.state.removeRemains(remains, dependencies.stopping);
    dependencies.probe?.('api.erasure-cleaned');
    if (!(await dependencies.state.scrub(dependencies.stopping))) {
      dependencies.logger.warn({ customerId }, 'state files not rewritten after customer erasure');
    }
    await completeErasure(dependencies.documents, customerId, new Date(dependencies.now()).toISOString());
    return 'ended';
  },
};

async function advance(
  { documents }: ErasureStepDependencies,
  { customerId, stored }: Erasure,
  change: Partial<ErasureProgress>,
): Promise<StepOutcome> {
  return (await advanceErasure(documents, customerId, stored, change)) ? 'done' : 'waits';
}

/** True if the audit list holds everything accepted before the customer was refused. */
async function isListed(
  dependencies: ErasureStepDependencies,
  customerId: string,
  { requestedAt }: ErasureProgress,
): Promise<boolean> {
  const untilMs = Date.parse(requestedAt) + LATE_REQUEST_MS;
  const isOver = dependencies.waits.isOver(customerId, {
    phase: 'NAMING',
    untilMs,
    limitMs: LATE_REQUEST_MS,
  });
  // Checked first, so that the log is read after the last append: a list that holds all of the log does not rule out an
  // admitted request that has not appended yet.
  if (!isOver && (dependencies.isInProgress?.(customerId) ?? true)) return false;
  const oldest = await oldestUnstored(dependencies);
  if (oldest === null || oldest > untilMs) return true;
  // Timestamps prove nothing if the clock was set back, and the list may never catch up with everything that keeps
  // arriving.
  return (
    isOver &&
    listHasStored(
      dependencies,
      await dependencies.waits.endsAfter(customerId, () => endsOfAccepted(dependencies.log)),
    )
  );
}
