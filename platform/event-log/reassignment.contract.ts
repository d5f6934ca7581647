import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { DEADLINE_MS, eventually, manyRecords, record, startReader, textOf } from './harness.contract.ts';
import { partitionOf } from './murmur2.ts';
import { type EventLog, StalePartition } from './port.ts';

const TIMEOUT_MS = DEADLINE_MS * 3;

/** A log whose handlers are overtaken soon after they lose their partition. */
export interface ReassignmentEnvironment {
  readonly topic: string;
  readonly partitions: number;
  readonly log: EventLog;
  end(): Promise<void>;
}

/**
 * A handler that ignores the loss of its partition may be overtaken by another consumer, as a paused process is, but
 * never by its own: otherwise work under two assignments would share the memory of one process.
 */
export function reassignmentContract(begin: () => Promise<ReassignmentEnvironment>): void {
  describe('a partition that is reassigned', () => {
    let environment: ReassignmentEnvironment;
    /** Ends the held handlers, even after a failure, because closing the log waits for them. */
    let end: () => void;
    beforeEach(async () => {
      environment = await begin();
    }, TIMEOUT_MS);
    afterEach(() => {
      end();
      return environment.end();
    }, TIMEOUT_MS);

    test(
      'a partition reassigned to a consumer whose earlier handler continues is delivered when that has ended, others meanwhile',
      async () => {
        const { log, topic, partitions } = environment;
        const steps = new Map<number, string[]>();
        const note = (partition: number, step: string): void => {
          steps.set(partition, [...(steps.get(partition) ?? []), step]);
        };
        const stepsOf = (partition: number): string[] => steps.get(partition) ?? [];
        const ended = new Promise<void>((resolve) => {
          end = resolve;
        });
        /** The one lost partition whose handler obeys its signal; all other handlers keep running. */
        let obedient: number | null = null;
        let isHolding = true;
        const reader = await startReader(log, 'group', [topic], {
          onAssigned: ({ partition }) => {
            note(partition, 'assigned');
            return undefined;
          },
          onBatch: async ({ partition }, signal) => {
            note(partition, 'batch');
            if (isHolding) {
              await new Promise<void>((resolve) => {
                signal.addEventListener('abort', () => {
                  note(partition, 'signal');
                  obedient ??= partition;
                  if (obedient === partition) resolve();
                });
                void ended.then(resolve);
              });
            }
            note(partition, 'settled');
          },
          onRevoked: (_topic, partition) => note(partition, 'revoked'),
        });
        await eventually('all is owned', () => reader.owned.size === partitions);
        await log.append(manyRecords(topic, 200));
        await eventually('all partitions have a batch in progress', () => steps.size === partitions);
        await eventually('all handlers hold', () => [...steps.values()].every((of) => of.at(-1) === 'batch'));

        const other = await startReader(log, 'group', [topic]);
        await eventually('the other overtook half', () => other.owned.size === partitions / 2);
        const moved = [...other.owned].map((name) => Number(name.split('/').at(-1)));
        const stuck = moved.filter((partition) => partition !== obedient);
        expect(obedient).not.toBeNull();
        await eventually('the other has read its half', async () =>
          (await log.lag('group', [topic])).every(
            ({ partition, lag }) => lag === 0 || !moved.includes(partition),
          ),
        );
        isHolding = false;
        await other.consumer.stop();

        // All are reassigned at once. The partition whose handler has ended is delivered.
        const keyOf = (wanted: number): string =>
          Array.from({ length: 1_000 }, (_, index) => `back-${index}`).find(
            (key) => partitionOf(key, partitions) === wanted,
          )!;
        await log.append(moved.map((partition) => record(topic, keyOf(partition), `back ${partition}`)));
        const texts = (): string[] => reader.records.map(textOf);
        await eventually('the obedient one continues', () => texts().includes(`back ${obedient}`));
        for (const partition of stuck) {
          expect(stepsOf(partition).slice(-2)).toEqual(['batch', 'signal']);
          await expect(reader.consumer.commit(topic, partition, 1)).rejects.toBeInstanceOf(StalePartition);
        }

        end();
        await eventually('the others continue too', () =>
          moved.every((partition) => texts().includes(`back ${partition}`)),
        );
        for (const partition of stuck) {
          const of = stepsOf(partition);
          const again = of.indexOf('signal');
          expect(of.slice(again, again + 5)).toEqual(['signal', 'settled', 'revoked', 'assigned', 'batch']);
        }
        await eventually('the group is done', async () =>
          (await log.lag('group', [topic])).every(({ lag }) => lag === 0),
        );
        expect([...reader.errors, ...other.errors]).toEqual([]);
      },
      TIMEOUT_MS,
    );
  });
}
