import { createAdmission } from '#platform/state/lmdb/admission.ts';
import { createAdmittedCounts } from '#platform/state/lmdb/admitted-counts.ts';
import { createDocuments } from '#platform/state/lmdb/documents.ts';
import { createExpiring } from '#platform/state/lmdb/expiring.ts';
import { createAttemptRecords, createIdempotency } from '#platform/state/lmdb/idempotency.ts';
import { createPendingMarks } from '#platform/state/lmdb/pending-marks.ts';
import { createRateBuckets } from '#platform/state/lmdb/rate-buckets.ts';
import { createRemains } from '#platform/state/lmdb/remains.ts';
import { createExpiry } from '#platform/state/lmdb/store/expiry.ts';
import type { State } from '#platform/state/port.ts';
import { type Decision, withDecisions } from './decisions.ts';
import { createReplicatedStore, type ReplicatedStore, type StateSnapshot } from './state-store.ts';

/** How long a write of records, and a read of unreplicated ones, waits for the replica, ms. */
const CONFIRM_WITHIN_MS = 5_000;
/** Replication lag, ms. */
const REPLICATED_AFTER_MS = 20;

/** The state of a world: the embedded adapter's own logic, on replicated in-memory tables. */
export interface DurableState {
  /** Direct access, without the network. Replaced by `restore`. */
  readonly state: State;
  /** Restores a backup on a new server. */
  restore(snapshot: StateSnapshot): void;
  snapshot(): StateSnapshot;
  /** The replica takes over with its data. Returns the number of lost writes. */
  failOver(): number;
  /** Number of unreplicated writes. */
  unreplicated(): number;
  /** While stalled, nothing reaches the replica. */
  stallReplication(stalled: boolean): void;
  /** Called after records of the scope were written: they are unconfirmed until replicated. */
  recordsWritten(scope: string): void;
  /** Called after other writes, which are replicated soon. */
  written(): void;
  isConfirmed(scope: string): boolean;
  /** Resolves to true once everything written so far is replicated, or false on timeout. */
  confirmed(): Promise<boolean>;
  /** Increases whenever calls may start to reach another server. */
  connections(): number;
  /** Every value of every table, to search for forbidden content. */
  texts(): string[];
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** `replicated`: writes of documents wait for a replica, which takes over at a fail-over. */
export function createDurableState(options: {
  readonly now: () => number;
  readonly replicated: boolean;
  /** Called with each decided erasure. */
  readonly onDecision?: (decision: Decision) => void;
}): DurableState {
  const { now, replicated, onDecision = () => undefined } = options;
  const store = createReplicatedStore();
  const unconfirmed = new Set<string>();
  let state = adapterOver(store, now, onDecision);
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
      // A restart of the server, which loses everything in memory.
      state = adapterOver(store, now, onDecision);
    },
    snapshot: store.snapshot,
    failOver: () => {
      connections += 1;
      unconfirmed.clear();
      return store.failOver();
    },
    unreplicated: store.unreplicated,
    stallReplication: (stalls) => {
      stalled = stalls;
      if (!stalls) replicate();
    },
    recordsWritten: (scope) => {
      if (replicated && store.unreplicated() > 0) unconfirmed.add(scope);
    },
    written: () => {
      if (isComing || stalled || store.unreplicated() === 0) return;
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

/** Assembled as in `platform/state/lmdb/state.ts`, without the file. */
function adapterOver(
  store: ReplicatedStore,
  now: () => number,
  onDecision: (decision: Decision) => void,
): State {
  const expiry = createExpiry(store, now);
  const documents = createDocuments(store);
  const attempts = createAttemptRecords(expiry, now);
  const admitted = createAdmittedCounts(store, documents);
  const buckets = createRateBuckets(now);
  const marks = createPendingMarks(expiry, now);
  const values = expiry.table<string>('expiring');
  const seen = expiry.table<number>('session-uses');
  return {
    documents: withDecisions(documents, onDecision),
    admission: createAdmission({ store, documents, attempts, admitted, marks, buckets, seen, now }),
    idempotency: createIdempotency(store, attempts, admitted),
    expiring: createExpiring(store, values, now),
    connections: () => 0,
    ping: async () => store.check(),
    removeRemains: createRemains({ store, marks, values, seen }),
    scrub: async () => {
      store.check();
      return true;
    },
    close: store.close,
  };
}
