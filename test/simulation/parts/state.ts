import { createAdmission } from '../../../platform/state/admission.ts';
import { createDocuments } from '../../../platform/state/documents.ts';
import { createExpiring } from '../../../platform/state/expiring.ts';
import { createExpiry } from '../../../platform/state/expiry.ts';
import { createAttemptRecords, createIdempotency } from '../../../platform/state/idempotency.ts';
import { type State, StateUnavailable } from '../../../platform/state/port.ts';
import { createRateBuckets } from '../../../platform/state/rate-buckets.ts';
import type { Failures, Network, SimulatedProcess } from '../process.ts';
import { createReplicatedStore, type ReplicatedStore } from './state-store.ts';

/** How long a write of records waits for the replica, ms. */
const CONFIRM_WITHIN_MS = 5_000;
/** How soon a replica has what was written, ms. */
const REPLICATED_AFTER_MS = 20;

/** The state of a world: the embedded adapter's own decisions, on tables in memory that a replica follows. */
export interface DurableState {
  readonly store: ReplicatedStore;
  /** Reached by itself, past the network. */
  readonly state: State;
  /** Nothing reaches the replica until it is told so. */
  stallReplication(stalled: boolean): void;
  /** Something may have been written, which the replica gets soon. */
  written(): void;
  /** Resolves when the replica has all that is written by now; false: not in time. */
  confirmed(): Promise<boolean>;
}

/** `replicated`: writes of documents wait for a replica, which takes over at a fail-over. */
export function createDurableState(options: {
  readonly now: () => number;
  readonly replicated: boolean;
}): DurableState {
  const { now, replicated } = options;
  const store = createReplicatedStore();
  const expiry = createExpiry(store, now);
  const documents = createDocuments(store);
  const attempts = createAttemptRecords(expiry, now);
  const buckets = createRateBuckets(now);
  let stalled = false;
  const state: State = {
    documents,
    admission: createAdmission({ store, documents, attempts, expiry, buckets, now }),
    idempotency: createIdempotency(store, attempts),
    expiring: createExpiring(store, expiry, now),
    ping: async () => undefined,
    scrub: async () => true,
    close: async () => undefined,
  };
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  let isComing = false;
  return {
    store,
    state,
    written: () => {
      if (isComing || stalled || store.behind() === 0) return;
      isComing = true;
      setTimeout(() => {
        isComing = false;
        if (!stalled) store.replicate();
      }, REPLICATED_AFTER_MS);
    },
    stallReplication: (stalls) => {
      stalled = stalls;
      if (!stalls) store.replicate();
    },
    confirmed: async () => {
      if (!replicated) return true;
      await wait(REPLICATED_AFTER_MS);
      if (stalled) await wait(CONFIRM_WITHIN_MS);
      if (stalled) return false;
      store.replicate();
      return true;
    },
  };
}

const failures: Failures = {
  refused: () => new StateUnavailable('simulated'),
  uncertain: () => new StateUnavailable('simulated'),
};

/** Calls whose writes are records: they wait for the replica. */
const CONFIRMED_CALLS: readonly string[] = ['documents.write'];

/** The state as one process reaches it. */
export function stateOfProcess(durable: DurableState, network: Network, process: SimulatedProcess): State {
  const guard = <Group extends object>(group: Group, name: string): Group =>
    new Proxy(group, {
      get: (target, method) => {
        const inner = Reflect.get(target, method) as (...args: unknown[]) => Promise<unknown>;
        if (typeof inner !== 'function') return inner;
        const what = `${name}.${String(method)}`;
        return (...args: unknown[]) =>
          network.call(process, 'state', what, failures, async () => {
            const result = await inner.apply(target, args);
            durable.written();
            if (CONFIRMED_CALLS.includes(what) && !(await durable.confirmed()))
              throw new StateUnavailable('no replica confirmed a record; it stands on the primary alone');
            return result;
          });
      },
    });
  const { state } = durable;
  return {
    documents: guard(state.documents, 'documents'),
    admission: guard(state.admission, 'admission'),
    idempotency: guard(state.idempotency, 'idempotency'),
    expiring: guard(state.expiring, 'expiring'),
    ping: () => network.call(process, 'state', 'ping', failures, () => undefined),
    scrub: (gone) => network.call(process, 'state', 'scrub', failures, () => state.scrub(gone)),
    close: async () => undefined,
  };
}
