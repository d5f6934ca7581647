import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { type ContractEnvironment, DEADLINE_MS, eventually, pause, startReader } from './harness.contract.ts';

const TIMEOUT_MS = DEADLINE_MS * 4;
const ROUNDS = 4;
const MAX_LIFE_MS = 400;

export function crashContract(begin: () => Promise<ContractEnvironment>): void {
  describe('a process killed while it appends', () => {
    let environment: ContractEnvironment;

    beforeEach(async () => {
      environment = await begin();
    }, TIMEOUT_MS);
    afterEach(() => environment.end(), TIMEOUT_MS);

    test(
      'loses no acknowledged record and keeps the order',
      async () => {
        const topic = environment.topics[0].name;
        const acknowledged: string[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const child = await environment.spawnAppender(topic, `${round}`);
          await eventually('the child appends', () => child.acknowledged.length > 20);
          // The kill must happen at a random moment.
          await pause(Math.random() * MAX_LIFE_MS);
          await child.kill();
          acknowledged.push(...child.acknowledged);
        }
        const log = await environment.open();
        const reader = await startReader(log, 'checker', [topic], { commits: false });
        const ends = await Promise.all(
          environment.topics[0] &&
            Array.from({ length: environment.topics[0].partitions }, (_, partition) =>
              log.bounds(topic, partition),
            ),
        );
        await eventually('all is read', () => {
          const next = new Map(reader.batches.map((batch) => [batch.partition, batch.nextOffset]));
          return ends.every(
            ({ start, end }, partition) => start === end || (next.get(partition) ?? 0) >= end,
          );
        });
        const found = new Set(reader.records.map((record) => record.headers.id));
        expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
        expect(found.size).toBe(reader.records.length);

        const last = new Map<string, number>();
        for (const { partition, headers, value } of reader.records) {
          const [round, count] = headers.id!.split(':').map(Number) as [number, number];
          expect(value.toString().startsWith(`${headers.id}.`)).toBe(true);
          const stream = `${partition}/${round}`;
          expect(count).toBeGreaterThan(last.get(stream) ?? 0);
          last.set(stream, count);
        }
      },
      TIMEOUT_MS,
    );
  });
}
