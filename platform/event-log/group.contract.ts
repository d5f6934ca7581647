import { afterEach, beforeEach, describe, expect, test } from '#jest';
import {
  type ContractEnvironment,
  DEADLINE_MS,
  eventually,
  manyRecords,
  record,
  startReader,
  textOf,
} from './harness.contract.ts';
import { partitionOf } from './murmur2.ts';
import { type EventLog, StalePartition } from './port.ts';

const TIMEOUT_MS = DEADLINE_MS * 3;

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

export function groupContract(begin: () => Promise<ContractEnvironment>): void {
  describe('consumer group', () => {
    let environment: ContractEnvironment;
    let log: EventLog;
    let topic: string;
    let partitions: number;

    beforeEach(async () => {
      environment = await begin();
      log = await environment.open();
      topic = environment.topics[0].name;
      partitions = environment.topics[0].partitions;
    }, TIMEOUT_MS);
    afterEach(() => environment.end(), TIMEOUT_MS);

    test(
      'two consumers share all partitions and handle each record; when one leaves, the other owns all',
      async () => {
        const one = await startReader(log, 'group', [topic]);
        const two = await startReader(log, 'group', [topic]);
        const shared = (): boolean =>
          one.owned.size === partitions / 2 &&
          two.owned.size === partitions / 2 &&
          new Set([...one.owned, ...two.owned]).size === partitions;
        await eventually('each owns half', shared);
        await log.append(manyRecords(topic, 500));
        await eventually('all is read', () => one.records.length + two.records.length >= 500);
        const all = [...one.records, ...two.records].map(textOf);
        expect(new Set(all).size).toBe(500);
        expect(one.records.length).toBeGreaterThan(0);
        expect(two.records.length).toBeGreaterThan(0);
        await one.consumer.stop();
        await eventually('the other owns all', () => two.owned.size === partitions);
        const before = two.records.length;
        await log.append(manyRecords(topic, 200, 'late'));
        await eventually('the other reads all', () => two.records.length >= before + 200);
        expect(one.owned.size).toBe(0);
        expect([...one.errors, ...two.errors]).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'when a partition is lost in mid-batch, the signal fires, the commit is refused and the other consumer gets the records',
      async () => {
        const held = new Map<number, number>();
        const refused = new Map<number, unknown>();
        let commit: (partition: number, next: number) => Promise<void> = () => Promise.resolve();
        const old = await startReader(log, 'group', [topic], {
          commits: false,
          onBatch: async (batch, signal) => {
            held.set(batch.partition, batch.nextOffset);
            await aborted(signal);
            await commit(batch.partition, batch.nextOffset).catch((error: unknown) => {
              refused.set(batch.partition, error);
            });
          },
        });
        commit = (partition, next) => old.consumer.commit(topic, partition, next);
        await log.append(manyRecords(topic, 200));
        await eventually('every partition has a batch in progress', () => held.size === partitions);

        const newcomer = await startReader(log, 'group', [topic]);
        await eventually('the newcomer owns half', () => newcomer.owned.size === partitions / 2);
        await eventually('the lost batches were refused', () => refused.size >= partitions / 2);
        for (const error of refused.values()) expect(error).toBeInstanceOf(StalePartition);
        const ownedPartitions = new Set([...newcomer.owned].map((name) => Number(name.split('/').at(-1))));
        const expected = manyRecords(topic, 200)
          .filter(({ key }) => ownedPartitions.has(partitionOf(key, partitions)))
          .map(textOf);
        await eventually('the newcomer read its half', () => {
          const read = new Set(newcomer.records.map(textOf));
          return expected.every((text) => read.has(text));
        });
        const lost = [...ownedPartitions][0]!;
        await expect(old.consumer.commit(topic, lost, 1)).rejects.toBeInstanceOf(StalePartition);
        expect(newcomer.errors).toEqual([]);
        expect(old.errors).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'stop fires the signal, waits for the running handler, then calls onRevoked and delivers no more',
      async () => {
        const steps: string[] = [];
        let finish: () => void = () => undefined;
        const finished = new Promise<void>((resolve) => {
          finish = resolve;
        });
        const reader = await startReader(log, 'group', [topic], {
          commits: false,
          onBatch: async (_batch, signal) => {
            steps.push('batch');
            await aborted(signal);
            steps.push('signal');
            await finished;
            steps.push('settled');
          },
          onRevoked: () => {
            if (steps.includes('batch')) steps.push('revoked');
          },
        });
        await eventually('all is owned', () => reader.owned.size === partitions);
        await log.append([record(topic, 'k', 'v')]);
        await eventually('the batch is in progress', () => steps.includes('batch'));
        let stopped = false;
        const stopping = reader.consumer.stop().then(() => {
          stopped = true;
        });
        await eventually('the signal fires', () => steps.includes('signal'));
        expect(stopped).toBe(false);
        finish();
        await stopping;
        // Idle partitions may be released before the handler has settled; the batch's own partition may not.
        expect(steps.filter((step) => step !== 'revoked')).toEqual(['batch', 'signal', 'settled']);
        expect(steps.at(-1)).toBe('revoked');
        expect(reader.owned.size).toBe(0);
        await log.append([record(topic, 'k', 'after')]);
        const next = await startReader(log, 'group', [topic]);
        await eventually('the next consumer reads both', () => next.records.length >= 2);
        expect(steps.filter((step) => step === 'batch')).toHaveLength(1);
        await expect(reader.consumer.commit(topic, partitionOf('k', partitions), 1)).rejects.toBeInstanceOf(
          StalePartition,
        );
        expect(reader.errors).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'a group lists its consumers from their start until they have stopped',
      async () => {
        expect(await log.members('group')).toEqual([]);
        const one = await startReader(log, 'group', [topic]);
        await eventually('one is in it', async () => (await log.members('group')).length === 1);
        const two = await startReader(log, 'group', [topic]);
        await eventually('both are in it', async () => (await log.members('group')).length === 2);
        for (const name of await log.members('group')) expect(name).toMatch(/\w/);
        expect(await log.members('another')).toEqual([]);
        await one.consumer.stop();
        expect(await log.members('group')).toHaveLength(1);
        await two.consumer.stop();
        expect(await log.members('group')).toEqual([]);
        expect([...one.errors, ...two.errors]).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'closing the log stops its consumers without an error',
      async () => {
        const reader = await startReader(log, 'group', [topic]);
        await eventually('all is owned', () => reader.owned.size === partitions);
        await log.close();
        expect(reader.consumer.joined).toBe(false);
        expect(reader.errors).toEqual([]);
      },
      TIMEOUT_MS,
    );
  });
}
