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
import type { EventLog, StoredRecord, Tail, TailOptions } from './port.ts';

const TIMEOUT_MS = DEADLINE_MS * 3;

export function tailContract(begin: () => Promise<ContractEnvironment>): void {
  describe('tail', () => {
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

    interface Watched {
      readonly tail: Tail;
      readonly records: StoredRecord[];
      readonly errors: Error[];
    }
    const watch = async (options: Partial<TailOptions> = {}): Promise<Watched> => {
      const records: StoredRecord[] = [];
      const errors: Error[] = [];
      const tail = await log.tail({
        topic,
        onBatch: async (batch) => {
          await options.onBatch?.(batch);
          records.push(...batch.records);
        },
        onStopped: (error) => errors.push(error),
      });
      return { tail, records, errors };
    };

    test(
      'starts at the end and delivers each later record of its topic once, in the order of its partition',
      async () => {
        await log.append(manyRecords(topic, 100, 'before'));
        const { tail, records, errors } = await watch();
        const later = manyRecords(topic, 700, 'after');
        await log.append(later.slice(0, 300));
        await log.append([record(environment.topics[1].name, 'k', 'elsewhere')]);
        await log.append(later.slice(300));
        await eventually('all is read', () => records.length >= 700);
        await tail.stop();
        expect(records.map(textOf).sort()).toEqual(later.map(({ value }) => value.toString()).sort());
        for (let partition = 0; partition < partitions; partition += 1) {
          const own = (all: readonly { readonly key: string }[]) =>
            all.filter(({ key }) => partitionOf(key, partitions) === partition);
          expect(own(records)).toMatchObject(own(later));
        }
        expect(errors).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'every tail gets every record, in addition to a group, and commits nothing',
      async () => {
        const [one, two] = [await watch(), await watch()];
        const reader = await startReader(log, 'group', [topic], { commits: false });
        await log.append(manyRecords(topic, 50));
        await eventually('all have read all', () =>
          [one, two, reader].every(({ records }) => records.length >= 50),
        );
        const lag = await log.lag('group', [topic]);
        expect(lag.map(({ committed }) => committed)).toEqual(Array(partitions).fill(null));
        expect([one.records.length, two.records.length]).toEqual([50, 50]);
      },
      TIMEOUT_MS,
    );

    test(
      'stop waits for a running handler, and nothing is delivered afterwards',
      async () => {
        const steps: string[] = [];
        let finish: () => void = () => undefined;
        const finished = new Promise<void>((resolve) => {
          finish = resolve;
        });
        const { tail, records, errors } = await watch({
          onBatch: async () => {
            steps.push('begun');
            await finished;
            steps.push('settled');
          },
        });
        const other = await watch();
        await log.append([record(topic, 'k', '1')]);
        await eventually('the handler runs', () => steps.includes('begun'));
        const stopping = tail.stop().then(() => steps.push('stopped'));
        finish();
        await stopping;
        expect(steps).toEqual(['begun', 'settled', 'stopped']);
        await log.append([record(topic, 'k', '2')]);
        await eventually('the other continues', () => other.records.length === 2);
        expect(records.map(textOf)).toEqual(['1']);
        expect(errors).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'a handler that throws stops only its own tail',
      async () => {
        const broken = await watch({
          onBatch: () => {
            throw new Error('broken');
          },
        });
        const whole = await watch();
        await log.append([record(topic, 'k', '1')]);
        await eventually('it stops', () => broken.errors.length > 0);
        await log.append([record(topic, 'k', '2')]);
        await eventually('the other continues', () => whole.records.length === 2);
        expect(broken.errors.map(({ message }) => message)).toEqual(['broken']);
        expect(broken.records).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'a slow handler gets the records appended meanwhile in larger batches, none twice',
      async () => {
        let release: () => void = () => undefined;
        const held = new Promise<void>((resolve) => {
          release = resolve;
        });
        const { tail, records } = await watch({ onBatch: () => held });
        await log.append([record(topic, 'k', 'first')]);
        for (let round = 0; round < 5; round += 1)
          await log.append(Array.from({ length: 40 }, (_, i) => record(topic, 'k', `${round}.${i}`)));
        release();
        await eventually('all is read', () => records.length >= 201);
        await tail.stop();
        expect(new Set(records.map(textOf)).size).toBe(201);
        expect(records.length).toBe(201);
      },
      TIMEOUT_MS,
    );
  });
}
