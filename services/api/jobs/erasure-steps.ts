import {
  advanceErasure,
  cleanRecords,
  completeErasure,
  type ErasureParts,
  type ErasurePhase,
  type ErasureProgress,
  erasureListed,
  erasureProgress,
  forgetErasure,
  forgetUnbegun,
  nameNextEntries,
} from '../../../platform/directory/erasures.ts';
import type { CustomerRecord } from '../../../platform/directory/records.ts';
import { CACHE_MS } from '../../../platform/sealing/keyring.ts';
import type { Keyring } from '../../../platform/sealing/port.ts';
import { CUSTOMERS, type StoredDocument } from '../../../platform/state/port.ts';
import { foldedIndex } from '../../../platform/warehouse/queries/folded.ts';
import type { ErasureCrashPoint } from '../crash-points.ts';
import type { ApiParts } from '../parts.ts';
import type { RequestsUnderWay } from '../requests-under-way.ts';
import { endsOfAccepted, listHolds, oldestUnstored } from '../use-cases/list-lag.ts';
import { signalClaimsOf } from '../use-cases/signal-claims.ts';
import type { PhaseWaits } from './phase-waits.ts';

export type ErasureStepParts = ErasureParts &
  Pick<ApiParts, 'state' | 'log' | 'warehouse' | 'now' | 'logger'> & {
    readonly keyring: Pick<Keyring, 'destroy'>;
    readonly crashPoint: (point: ErasureCrashPoint) => void;
    /**
     * Whether a request that may append an audit of the customer is under way: one of its own, or a signal of the platform.
     * Only where no other process serves requests, so that this one knows of all; without it the longest request is
     * waited for.
     */
    readonly isUnderWay?: RequestsUnderWay['isUnderWay'];
    readonly waits: PhaseWaits;
    /** Fires when the process ends. */
    readonly stopping: AbortSignal;
  };

/** Requests that were admitted before the customer was refused have reached the log after so long, or never will. */
const LATE_REQUEST_MS = 60_000;
/** A request that has put its erasure on the work list begins it much sooner, or never. */
const UNBEGUN_MS = 15 * 60_000;
/** Other processes use a destroyed key for a while; so long the records that they judge by must stay. */
const KEY_LINGERS_MS = 2 * CACHE_MS;

/**
 * `done`: what comes next can be begun at once. `waits`: for the sink, the clock or another process. `ended`: nothing is
 * left to do.
 */
export type StepOutcome = 'done' | 'waits' | 'ended';

interface Erasure {
  readonly customerId: string;
  readonly stored: StoredDocument<ErasureProgress>;
}

/** Takes one step of a customer's erasure. It may have been taken before, in part or by another process. */
export async function erasureStep(parts: ErasureStepParts, customerId: string): Promise<StepOutcome> {
  const stored = await erasureProgress(parts.documents, customerId);
  if (stored === null) return withoutProgress(parts, customerId);
  return STEPS[stored.value.phase](parts, { customerId, stored });
}

/**
 * Complete but for its place in the work list, or not begun. Then a request may be about to begin it; long after that
 * the client was refused and has not asked again.
 */
async function withoutProgress(
  { documents, waits }: ErasureStepParts,
  customerId: string,
): Promise<StepOutcome> {
  const listed = await erasureListed(documents, customerId);
  const ref = { scope: customerId, collection: CUSTOMERS, id: customerId };
  const record = (await documents.get<CustomerRecord>(ref))?.value;
  if (record?.erasure?.status === 'COMPLETED') await forgetErasure(documents, customerId);
  if (record?.erasure !== undefined || listed === null) return 'ended';
  const wait = { phase: `version ${listed.version}`, untilMs: Infinity, limitMs: UNBEGUN_MS };
  if (waits.isOver(customerId, wait)) await forgetUnbegun(documents, customerId, listed);
  return 'ended';
}

const STEPS: Readonly<
  Record<ErasurePhase, (parts: ErasureStepParts, erasure: Erasure) => Promise<StepOutcome>>
> = {
  CLOSING: async (parts, { customerId, stored }) => {
    const closedAt = await foldedIndex(parts.warehouse, customerId, stored.value.awaited ?? '');
    if (closedAt === null) return 'waits';
    return advance(parts, { customerId, stored }, { phase: 'NAMING', awaited: null, closedAt });
  },

  // The closing entry names nothing and is named with the others, so that its own detail goes too.
  NAMING: async (parts, { customerId, stored }) => {
    const { awaited, namedBelow, closedAt } = stored.value;
    if (awaited !== null && (await foldedIndex(parts.warehouse, customerId, awaited)) === null)
      return 'waits';
    if (namedBelow > (closedAt ?? -1)) {
      if (!(await isListed(parts, customerId, stored.value))) return 'waits';
      return advance(parts, { customerId, stored }, { phase: 'REMOVING', awaited: null });
    }
    // One at a time: the fold of each reads and writes thousands of rows, and other customers share the partition.
    const named = await nameNextEntries(parts, customerId, stored, new Date(parts.now()).toISOString());
    parts.crashPoint('api.erasure-named');
    return named ? 'done' : 'waits';
  },

  REMOVING: async () => 'waits',

  DESTROYING: async (parts, { customerId, stored }) => {
    await parts.keyring.destroy(customerId);
    parts.crashPoint('api.erasure-key-destroyed');
    const destroyedAt = new Date(parts.now()).toISOString();
    return advance(parts, { customerId, stored }, { phase: 'CLEANING', destroyedAt });
  },

  CLEANING: async (parts, { customerId, stored }) => {
    const lingers = {
      untilMs: Date.parse(stored.value.destroyedAt ?? '') + KEY_LINGERS_MS,
      limitMs: KEY_LINGERS_MS,
    };
    if (!parts.waits.isOver(customerId, { phase: 'CLEANING', ...lingers })) return 'waits';
    await cleanRecords(parts.documents, customerId);
    await parts.state.admission.removeAdmittedCount(customerId);
    // A sink removes marks of stored audits; one that was killed before leaves them to their end. Claims of signals that
    // the platform sent would be kept for a day.
    const remains = { customerId, expiringPrefix: signalClaimsOf(customerId) };
    await parts.state.removeRemains(remains, parts.stopping);
    parts.crashPoint('api.erasure-cleaned');
    if (!(await parts.state.scrub(parts.stopping))) {
      parts.logger.warn(
        { customerId },
        "the state does not let its files be rewritten: an erased customer's wrapped key stays in them until that is done",
      );
    }
    await completeErasure(parts.documents, customerId, new Date(parts.now()).toISOString());
    return 'ended';
  },
};

async function advance(
  { documents }: ErasureStepParts,
  { customerId, stored }: Erasure,
  change: Partial<ErasureProgress>,
): Promise<StepOutcome> {
  return (await advanceErasure(documents, customerId, stored, change)) ? 'done' : 'waits';
}

/** True when the audit list holds whatever was accepted before the customer was refused. */
async function isListed(
  parts: ErasureStepParts,
  customerId: string,
  { requestedAt }: ErasureProgress,
): Promise<boolean> {
  const untilMs = Date.parse(requestedAt) + LATE_REQUEST_MS;
  const isOver = parts.waits.isOver(customerId, { phase: 'NAMING', untilMs, limitMs: LATE_REQUEST_MS });
  // First, so that the look at the log comes after the last append. That the list holds all of the log says nothing of
  // a request that was admitted and has not appended yet.
  if (!isOver && (parts.isUnderWay?.(customerId) ?? true)) return false;
  const oldest = await oldestUnstored(parts);
  if (oldest === null || oldest > untilMs) return true;
  // Times tell nothing when the clock was set back, and the list may never hold all that comes in meanwhile.
  return isOver && listHolds(parts, await parts.waits.endsAfter(customerId, () => endsOfAccepted(parts.log)));
}
