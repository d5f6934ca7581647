import type { MessagePort } from 'node:worker_threads';
import { answerCalls, type SentError, sendError } from '#platform/threads/calls.ts';
import { AppendError, type Appended, AppendFailure } from '../port.ts';
import type { PreparedRecord } from './prepared-record.ts';
import type { EmbeddedStore } from './store.ts';
import type { PartitionState } from './topics.ts';

/**
 * The embedded log in two threads of one process. The thread that opened it stays its only writer. The other reads the
 * same file directly, is notified of every change of a partition's bounds once that change is durable, and forwards its
 * appends and commits. This file holds their messages and the writer's side.
 */

/** Initial state of a view. */
export interface LogSnapshot {
  readonly topics: readonly {
    readonly name: string;
    readonly id: number;
    /** First offset and end of each partition. */
    readonly bounds: readonly (readonly [number, number])[];
  }[];
  readonly committed: readonly SentOffset[];
}

/** A group's committed offset in a partition. */
export type SentOffset = readonly [group: string, topic: string, partition: number, nextOffset: number];

/** Changed bounds, flat: topic id, partition, first offset and end of each. */
export interface BoundsMoved {
  readonly moved: readonly number[];
}

/** Records of one append: their concatenated bytes, and topic, partition, length and size of each. */
export interface SentRecords {
  readonly bytes: Uint8Array;
  readonly layout: readonly (readonly [topic: string, partition: number, length: number, size: number])[];
}

/** Partition and offset of each record of a successful append. */
export interface SentAppended {
  readonly timestamp: number;
  readonly positions: readonly (readonly [partition: number, offset: number])[];
}

/** Outcome of each record of an append that failed at least partly. */
export type SentOutcome =
  | Appended
  | { readonly name: string; readonly message: string; readonly certain: boolean };

interface ServedLog {
  readonly store: EmbeddedStore;
  append(records: readonly PreparedRecord[]): Promise<Appended[]>;
  /** Throws when the log is closed. */
  assertOpen(): void;
}

/** Serves one view (`openEmbeddedView`) until its port closes. */
export function serveLog(port: MessagePort, { store, append, assertOpen }: ServedLog): void {
  const states = [...store.topics.values()].flat();
  const moved = new Set<PartitionState>();
  const sendMoved = (): void => {
    if (moved.size === 0) return;
    const message: BoundsMoved = {
      moved: [...moved].flatMap(({ topicId, partition, start, end }) => [topicId, partition, start, end]),
    };
    moved.clear();
    port.postMessage(message);
  };
  const listeners = states.map((state) => {
    const listener = (): void => {
      // One message for all changes of a transaction.
      if (moved.size === 0) queueMicrotask(sendMoved);
      moved.add(state);
    };
    return { state, listener };
  });
  answerCalls(
    port,
    {
      open: () => {
        for (const { state, listener } of listeners) state.listeners.add(listener);
        return snapshotOf(store);
      },
      append: async (sent: SentRecords): Promise<SentAppended> => {
        try {
          const appended = await append(recordsOf(sent));
          return {
            timestamp: appended[0]?.timestamp ?? 0,
            positions: appended.map(({ partition, offset }) => [partition, offset]),
          };
        } finally {
          // When an append resolves, its caller must see the record in the log.
          sendMoved();
        }
      },
      commit: (offsets: readonly SentOffset[]) =>
        Promise.all(
          offsets.map(([group, topic, partition, next]) =>
            store.committed.commit(group, topic, partition, next),
          ),
        ).then(() => undefined),
      ping: assertOpen,
    },
    sendLogError,
  );
  port.once('close', () => {
    for (const { state, listener } of listeners) state.listeners.delete(listener);
  });
}

function snapshotOf(store: EmbeddedStore): LogSnapshot {
  return {
    topics: [...store.topics].map(([name, states]) => ({
      name,
      id: states[0]?.topicId ?? 0,
      bounds: states.map(({ start, end }) => [start, end]),
    })),
    committed: store.committed.all(),
  };
}

function recordsOf({ bytes, layout }: SentRecords): PreparedRecord[] {
  let at = 0;
  return layout.map(([topic, partition, length, size]) => {
    const record = { topic, partition, bytes: Buffer.from(bytes.buffer, at, length), size };
    at += length;
    return record;
  });
}

function sendLogError(error: unknown): SentError {
  if (!(error instanceof AppendError)) return sendError(error);
  const detail: SentOutcome[] = error.outcomes.map((outcome) =>
    outcome instanceof AppendFailure
      ? { name: outcome.name, message: outcome.message, certain: outcome.certain }
      : outcome,
  );
  return { ...sendError(error), detail };
}
