import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { type EmbeddedLog, openEmbeddedLog } from '#platform/event-log/lmdb/event-log.ts';
import { wholeBatch } from '#platform/stream/failure/outcome.ts';
import { runStream, type Stream } from '#platform/stream/run-stream.ts';
import { until } from '#platform/stream/testing/until.ts';
import { LEDGER } from '#schemas/topics.ts';
import type { SinkStore, SinkTable } from './flush/store.ts';
import { createSink } from './pipeline.ts';
import { createMemoryStore, type MemoryStore } from './testing/memory-store.ts';
import { customerIn, decodeLedgerEntry, draftOf, openDetail, storedRecord } from './testing/sample-log.ts';

/**
 * Two sinks share the ledger. A flush of the first one hangs, its partitions move to the second and come back, and only
 * then does the flush continue. Loop, sink and embedded log run as in a real process.
 */

const PARTITIONS = Array.from({ length: LEDGER.partitions }, (_, partition) => partition);
/** The group gives the later half to a second member. */
const MOVED = PARTITIONS.slice(LEDGER.partitions / 2);
const REVOCATION_TIMEOUT_MS = 20;
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A store whose inserts wait while the gate is closed, for its owner only; others use the store underneath. */
function gated(store: MemoryStore) {
  let open = (): void => undefined;
  let gate: Promise<void> = Promise.resolve();
  const waiting: SinkTable[] = [];
  const insert = async (table: SinkTable, rows: readonly object[]): Promise<void> => {
    waiting.push(table);
    await gate;
    waiting.splice(waiting.indexOf(table), 1);
    await store.insert(table, rows);
  };
  return {
    store: { ...store, insert } satisfies SinkStore,
    waiting,
    close: (): void => {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    open: (): void => open(),
  };
}

describe('a partition that returns to a process whose flush of it is still running', () => {
  let folder: string;
  let log: EmbeddedLog;
  const streams: Stream[] = [];
  /** Releases a hanging flush, even after a failure: a stopping stream waits for it. */
  let open = (): void => undefined;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'lost-assignment-'));
    log = await openEmbeddedLog({
      path: folder,
      topics: [LEDGER],
      batchDelayMs: 0,
      revocationTimeoutMs: REVOCATION_TIMEOUT_MS,
    });
  });
  afterEach(async () => {
    open();
    await Promise.all(streams.splice(0).map((stream) => stream.stop()));
    await log.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function startSink(store: SinkStore) {
    /** `customer number` of each decoded record, in order. */
    const decoded: string[] = [];
    const assigned: number[] = [];
    const errors: Error[] = [];
    const sink = createSink({
      log,
      store,
      publish: async () => undefined,
      admission: { removePendingMarks: async () => undefined },
      decodeLedgerEntry: (value) => {
        const entry = decodeLedgerEntry(value);
        decoded.push(`${entry.customerId} ${entry.id}`);
        return entry;
      },
      openDetail,
      epoch: 1,
      now: Date.now,
      logger: QUIET,
      limits: { minRecords: 1, everyMs: 0, fewEveryMs: 0 },
    });
    const stream = await runStream({
      log,
      group: 'sink',
      topics: [LEDGER.name],
      process: wholeBatch(sink.process),
      onAssigned: (assignment) => {
        assigned.push(assignment.partition);
        return sink.onAssigned(assignment);
      },
      linger: sink.linger,
      limits: { backoff: { firstMs: 1, maxMs: 4, random: () => 0.5 }, commitEveryMs: 0 },
      logger: QUIET,
      onStopped: (error) => errors.push(error),
    });
    streams.push(stream);
    const has = (partition: number, n: number): boolean =>
      decoded.includes(`${customerIn(partition)} key_event-${n}`);
    return { stream, has, assigned, errors };
  }

  /** One entry with number `n` for the customer of each partition. */
  async function append(n: number, partitions: readonly number[]): Promise<void> {
    await log.append(
      partitions.map((partition) => {
        const { topic, key, value, headers } = storedRecord(
          draftOf(customerIn(partition), 'KEY_EVENT', n),
          0,
        );
        return { topic, key, value, headers };
      }),
    );
  }

  const nextOffsets = (store: MemoryStore): number[] => {
    const next = new Map(PARTITIONS.map((partition) => [partition, 0]));
    for (const row of store.rows.positions)
      next.set(row.partition, Math.max(next.get(row.partition)!, row.nextOffset));
    return [...next.values()];
  };

  test('never assigns an index twice, or two indexes to one record', async () => {
    const store = createMemoryStore();
    const gate = gated(store);
    open = gate.open;
    const first = await startSink(gate.store);
    await append(0, PARTITIONS);
    await until(() => nextOffsets(store).every((next) => next === 1));

    // A flush with one moving partition hangs; all other units wait for it.
    const inFlush = MOVED[0]!;
    gate.close();
    await append(1, [inFlush]);
    await until(() => gate.waiting.includes('entries'));
    const others = PARTITIONS.filter((partition) => partition !== inFlush);
    await append(1, others);
    await until(() => others.every((partition) => first.has(partition, 1)));

    // The moved half is folded by another sink, which then leaves: the half comes back to the first one.
    const second = await startSink(store);
    await until(() => MOVED.every((partition) => nextOffsets(store)[partition] === 2));
    await second.stream.stop();
    await append(2, MOVED);
    await until(() => MOVED.slice(1).every((partition) => first.has(partition, 2)));
    const [readBefore, assignedBefore] = [
      first.has(inFlush, 2),
      first.assigned.filter((one) => one === inFlush),
    ];
    gate.open();
    await until(() => MOVED.every((partition) => nextOffsets(store)[partition]! >= 3));
    await append(3, PARTITIONS);
    await until(() => PARTITIONS.every((partition) => first.has(partition, 3)));
    await until(() =>
      PARTITIONS.every((partition) => nextOffsets(store)[partition] === (MOVED.includes(partition) ? 4 : 3)),
    );

    expect([first.errors, second.errors]).toEqual([[], []]);
    // Throws when two rows of one index differ.
    const { ledger } = store.final();
    for (const partition of PARTITIONS) {
      const own = ledger.filter(({ customerId }) => customerId === customerIn(partition));
      const count = MOVED.includes(partition) ? 4 : 3;
      expect(own.map(({ index, offset }) => [index, offset])).toEqual(
        Array.from({ length: count }, (_, n) => [n, n]),
      );
    }
    // While the earlier assignment's flush ran, the partition was not started again.
    expect(readBefore).toBe(false);
    expect(assignedBefore).toHaveLength(1);
  });
});
