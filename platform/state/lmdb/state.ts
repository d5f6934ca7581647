import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DamagedFile } from '#platform/data-folder/lmdb-file.ts';
import { type State, StateUnavailable } from '../port.ts';
import { createAdmission } from './admission.ts';
import { createAdmittedCounts } from './admitted-counts.ts';
import { createDocuments } from './documents.ts';
import { createExpiring } from './expiring.ts';
import { createAttemptRecords, createIdempotency } from './idempotency.ts';
import { createPendingMarks } from './pending-marks.ts';
import { createRateBuckets } from './rate-buckets.ts';
import { createRemains } from './remains.ts';
import { createExpiry } from './store/expiry.ts';
import { openStore, type Store } from './store/store.ts';
import { startSweeper } from './sweeper.ts';

interface EmbeddedStateOptions {
  /** The LMDB file. Its folder is created if missing. Only one process may have it open. */
  readonly path: string;
  /** Unix ms. */
  readonly now: () => number;
  /** Logs failed background sweeps. */
  readonly logger?: { warn(details: object, message: string): void };
}

const SWEPT_AT_ONCE = 200;

/**
 * The embedded state: one LMDB file owned by this process.
 *
 * When a call resolves its writes are flushed and survive both `kill -9` and a power loss; those of an early
 * reservation once its `durable` has resolved. Two things do not wait for the disk: rate buckets are in memory, so that
 * a restart grants full ones, and the recorded last use of a key, exact to a minute, may miss the latest one. Rejects
 * with `StateUnavailable` when the file cannot be opened.
 */
export async function openEmbeddedState({ path: file, now, logger }: EmbeddedStateOptions): Promise<State> {
  const store = openOrRefuse(file);
  const expiry = createExpiry(store, now);
  const documents = createDocuments(store);
  const attempts = createAttemptRecords(expiry, now);
  const admitted = createAdmittedCounts(store, documents);
  const buckets = createRateBuckets(now);
  const marks = createPendingMarks(expiry, now);
  const values = expiry.table<string>('expiring');
  const seen = expiry.table<number>('session-uses');
  const admission = createAdmission({ store, documents, attempts, admitted, marks, buckets, seen, now });
  const idempotency = createIdempotency(store, attempts, admitted);
  const expiring = createExpiring(store, values, now);
  const sweeper = startSweeper({ expiry, buckets, ...(logger === undefined ? {} : { logger }) });
  let closing: Promise<void> | null = null;
  return {
    documents,
    admission,
    idempotency,
    expiring,
    async ping() {
      store.check();
    },
    // Only this process uses the file.
    connections: () => 0,
    removeRemains: createRemains({ store, marks, values, seen }),
    async scrub(gone) {
      // Expired rows are invisible, but still in the file.
      while ((await expiry.sweep(SWEPT_AT_ONCE)) > 0) gone.throwIfAborted();
      await rewriteOrRefuse(store);
      return true;
    },
    close() {
      sweeper.stop();
      closing ??= store.close();
      return closing;
    },
  };
}

async function rewriteOrRefuse(store: Store): Promise<void> {
  try {
    await store.rewrite();
  } catch (error) {
    if (error instanceof StateUnavailable) throw error;
    throw new StateUnavailable(
      'cannot rewrite the file of the embedded state; it needs free disk space for a second copy',
      { cause: error },
    );
  }
}

function openOrRefuse(file: string): ReturnType<typeof openStore> {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    return openStore(file);
  } catch (error) {
    if (error instanceof DamagedFile) throw error;
    throw new StateUnavailable(
      `cannot open the embedded state; check that ${path.dirname(file)} is writable and has free space`,
      { cause: error },
    );
  }
}
