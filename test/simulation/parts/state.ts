import { createAdmission } from '../../../platform/state/admission.ts';
import { createAdmittedCounts } from '../../../platform/state/admitted-counts.ts';
import { createDocuments } from '../../../platform/state/documents.ts';
import { createExpiring } from '../../../platform/state/expiring.ts';
import { createExpiry } from '../../../platform/state/expiry.ts';
import { createAttemptRecords, createIdempotency } from '../../../platform/state/idempotency.ts';
import { createPendingMarks } from '../../../platform/state/pending-marks.ts';
import type { State } from '../../../platform/state/port.ts';
import { createRateBuckets } from '../../../platform/state/rate-buckets.ts';
import { createRemains } from '../../../platform/state/remains.ts';
import { createReplicatedStore, type ReplicatedStore, type StateSnapshot } from './state-store.ts';

/** How long a write of records waits for the replica, and a read of what the replica has not got, ms. */
const CONFIRM_WITHIN_MS = 5_000;
/** How soon a replica has what was written, ms. */
const REPLICATED_AFTER_MS = 20;

/** The state of a world: the embedded adapter's own decisions, on tables in memory that a replica follows. */
export interface DurableState {
  /** Reached by itself, past the network. Another one after `restore`. */
  readonly state: State;
  /** A server that begins with what was backed up. */
  restore(snapshot: StateSnapshot): void;
  snapshot(): StateSnapshot;
  /** The replica takes over with what it has. Returns how many writes are lost. */
  failOver(): number;
  /** Writes that the replica has not got. */
  behind(): number;
  /** Nothing reaches the replica until it is told so. */
  stallReplication(stalled: boolean): void;
  /** Records of the scope were written: until the replica has them, they count as unconfirmed. */
  recordsWritten(scope: string): void;
  /** Something else was written, which the replica gets soon. */
  written(): void;
  isConfirmed(scope: string): boolean;
  /** Resolves when the replica has all that is written by now; false: not in time. */
  confirmed(): Promise<boolean>;
  /** Rises whenever calls may have begun to go to another server. */
  connections(): number;
  /** Every value of every table, for those who look for what must not be there. */
  texts(): string[];
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** `replicated`: writes of documents wait for a replica, which takes over at a fail-over. */
export function createDurableState(options: {
  readonly now: () => number;
  readonly replicated: boolean;
}): DurableState {
  const { now, replicated } = options;
  const store = createReplicatedStore();
  const unconfirmed = new Set<string>();
  let state = adapterOver(store, now);
  let stalled = false;
  let isComing = false;
  let connections = 0;
  const replicate = (): void => {
    store.replicate();
    unconfirmed.clear();
  };
  return {
    get state() {
      return state;
    },
    restore: (snapshot) => {
      connections += 1;
      store.restore(snapshot);
      unconfirmed.clear();
      // Another start of the server, which keeps nothing in memory of what was there before.
      state = adapterOver(store, now);
    },
    snapshot: store.snapshot,
    failOver: () => {
      connections += 1;
      unconfirmed.clear();
      return store.failOver();
    },
    behind: store.behind,
    stallReplication: (stalls) => {
      stalled = stalls;
      if (!stalls) replicate();
    },
    recordsWritten: (scope) => {
      if (replicated && store.behind() > 0) unconfirmed.add(scope);
    },
    written: () => {
      if (isComing || stalled || store.behind() === 0) return;
      isComing = true;
      setTimeout(() => {
        isComing = false;
        if (!stalled) replicate();
      }, REPLICATED_AFTER_MS);
    },
    isConfirmed: (scope) => !unconfirmed.has(scope),
    confirmed: async () => {
      if (!replicated) return true;
      await wait(REPLICATED_AFTER_MS);
      if (stalled) await wait(CONFIRM_WITHIN_MS);
      if (stalled) return false;
      replicate();
      return true;
    },
    connections: () => connections,
    texts: store.texts,
  };
}

/** As `platform/state/embedded.ts` puts it together, but for the file. */
function adapterOver(store: ReplicatedStore, now: () => number): State {
  const expiry = createExpiry(store, now);
  const documents = createDocuments(store);
  const attempts = createAttemptRecords(expiry, now);
  const admitted = createAdmittedCounts(store, documents, now);
  const buckets = createRateBuckets(now);
  const marks = createPendingMarks(expiry, now);
  const values = expiry.table<string>('expiring');
  return {
    documents,
    admission: createAdmission({ store, documents, attempts, admitted, marks, buckets, now }),
    idempotency: createIdempotency(store, attempts, admitted),
    expiring: createExpiring(store, values, now),
    connections: () => 0,
    ping: async () => store.check(),
    removeRemains: createRemains({ store, marks, values }),
    scrub: async () => {
      store.check();
      return true;
    },
    close: store.close,
  };
}
