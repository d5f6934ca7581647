import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { DEAD_LETTERS, LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { DEADLINE_MS, eventually, startReader } from '../harness.contract.ts';
import { AppendError, type Appended, type EventLog, LogFull, type LogRecord } from '../port.ts';
import type { LogUsage } from './budget.ts';

const TIMEOUT_MS = DEADLINE_MS * 2;
const VALUE_BYTES = 20_000;
export const BUDGET_BYTES = 2 * 1024 * 1024;

/** A log with `BUDGET_BYTES` that checks its usage every few milliseconds. */
export interface BudgetEnvironment {
  readonly log: EventLog;
  usage(): LogUsage;
  fileBytes(): Promise<number>;
  /** Another reason why space is short; null for none. */
  shortage: string | null;
  /** Unix ms. */
  now: number;
  end(): Promise<void>;
}

const triplet = (key: string, topic = TRIPLETS.name): LogRecord => ({
  topic,
  key,
  value: Buffer.alloc(VALUE_BYTES, key),
  headers: { id: key },
});

/** How an embedded log manages its space, from any thread. */
export function budgetContract(begin: () => Promise<BudgetEnvironment>): void {
  describe('a budget of bytes', () => {
    let environment: BudgetEnvironment;
    let log: EventLog;
    let appended = 0;

    beforeEach(async () => {
      environment = await begin();
      log = environment.log;
      appended = 0;
    }, TIMEOUT_MS);
    afterEach(() => environment.end(), TIMEOUT_MS);

    /** Appends triplets one at a time until one is refused or `limit` were accepted. */
    async function fill(
      limit = 500,
    ): Promise<{ readonly accepted: Appended[]; readonly refusal: AppendError }> {
      const accepted: Appended[] = [];
      while (accepted.length < limit) {
        try {
          accepted.push(...(await log.append([triplet(`t${appended++}`)])));
        } catch (error) {
          if (!(error instanceof AppendError)) throw error;
          return { accepted, refusal: error };
        }
      }
      throw new Error(`${limit} triplets were accepted and none rejected`);
    }
    const startOf = async (topic: string): Promise<number> => {
      const bounds = await Promise.all(
        Array.from({ length: TRIPLETS.partitions }, (_, partition) => log.bounds(topic, partition)),
      );
      return bounds.reduce((sum, { start }) => sum + start, 0);
    };
    const readAll = async (group: string) => {
      const reader = await startReader(log, group, [TRIPLETS.name]);
      await eventually(`${group} has done everything`, async () =>
        (await log.lag(group, [TRIPLETS.name])).every(({ lag }) => lag === 0),
      );
      return reader;
    };

    test(
      'refuses clients’ records when it is reached, loses no accepted record, and resumes when every group has committed',
      async () => {
        const { accepted, refusal } = await fill();
        expect(accepted.length).toBeGreaterThan(50);
        expect(refusal.outcomes).toHaveLength(1);
        expect(refusal.outcomes[0]).toBeInstanceOf(LogFull);
        expect(refusal.outcomes[0]).toMatchObject({ certain: true });
        expect(refusal.cause).toBeInstanceOf(LogFull);
        expect(refusal.message).toContain('LOG_MAX_BYTES');
        expect(environment.usage()).toMatchObject({ level: 'refuses', maxBytes: BUDGET_BYTES });

        // Records derived from clients' records are still accepted: otherwise those could never be processed.
        expect(await log.append([triplet('entry', LEDGER.name)])).toHaveLength(1);

        const analyzer = await readAll('analyzer');
        expect(analyzer.records).toHaveLength(accepted.length);
        // The other group has not committed them, so nothing may be deleted yet.
        await expect(log.append([triplet('early')])).rejects.toBeInstanceOf(AppendError);
        expect(await startOf(TRIPLETS.name)).toBe(0);

        const sink = await readAll('sink');
        expect(new Set(sink.records.map(({ headers }) => headers.id)).size).toBe(accepted.length);
        await eventually('there is room again', () => environment.usage().level === 'fits');
        expect(await log.append([triplet('after')])).toHaveLength(1);
        expect([...analyzer.errors, ...sink.errors]).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'does not keep processed records until their age: many times the budget passes, and the file stays near it',
      async () => {
        const readers = await Promise.all(
          ['analyzer', 'sink'].map((group) => startReader(log, group, [TRIPLETS.name])),
        );
        const wanted = (BUDGET_BYTES / VALUE_BYTES) * 4;
        let accepted = 0;
        while (accepted < wanted) {
          await log.append([triplet(`t${accepted}`)]).then(
            () => {
              accepted += 1;
            },
            // The groups lag, and advance with every turn.
            () => new Promise(setImmediate),
          );
        }
        for (const { records, errors } of readers) {
          await eventually('all is read', () => records.length === accepted);
          expect(new Set(records.map(({ headers }) => headers.id)).size).toBe(accepted);
          expect(errors).toEqual([]);
        }
        expect(await environment.fileBytes()).toBeLessThan(BUDGET_BYTES * 2);
      },
      TIMEOUT_MS,
    );

    test(
      'deletes the oldest records first, also from another partition',
      async () => {
        const old = await log.append(Array.from({ length: 30 }, () => triplet('old')));
        environment.now += 3_600_000;
        const newer = await log.append(Array.from({ length: 30 }, () => triplet('newer')));
        const [oldIn, newerIn] = [old[0]!.partition, newer[0]!.partition];
        expect(oldIn).not.toBe(newerIn);
        for (const group of ['analyzer', 'sink']) await (await readAll(group)).consumer.stop();
        let start = 0;
        while (start === 0) {
          await log.append([triplet(`t${appended++}`)]);
          start = (await log.bounds(TRIPLETS.name, oldIn)).start;
        }
        expect((await log.bounds(TRIPLETS.name, newerIn)).start).toBe(0);
      },
      TIMEOUT_MS,
    );

    test(
      'keeps the last committed record, and all uncommitted ones',
      async () => {
        const [first] = await log.append([triplet('same')]);
        const partition = first!.partition;
        for (let count = 1; count < 60; count += 1) await log.append([triplet('same')]);
        const readers = [await readAll('analyzer'), await readAll('sink')];
        // Nothing is deleted while there is room.
        expect(await log.bounds(TRIPLETS.name, partition)).toEqual({ start: 0, end: 60 });
        for (const { consumer } of readers) await consumer.stop();
        const { accepted } = await fill();
        await eventually('all committed records were deleted', async () => {
          const bounds = await log.bounds(TRIPLETS.name, partition);
          return bounds.start === 59;
        });
        // Uncommitted records stay, as does the record before them, by which groups recognize the log.
        for (const { partition: at, offset } of accepted)
          expect(await log.read(TRIPLETS.name, at, offset)).not.toBeNull();
        expect((await log.read(TRIPLETS.name, partition, 59))?.headers.id).toBe('same');
      },
      TIMEOUT_MS,
    );

    test(
      'dead letters stay for replays, even when all groups have committed them',
      async () => {
        const letters = await log.append(
          Array.from({ length: 70 }, (_, index) => triplet(`d${index}`, DEAD_LETTERS.name)),
        );
        const reader = await startReader(log, 'sink', [DEAD_LETTERS.name, TRIPLETS.name]);
        await startReader(log, 'analyzer', [TRIPLETS.name]);
        await eventually('the dead letters are done', () => reader.records.length >= letters.length);
        for (let count = 0; count < 200; count += 1)
          await log.append([triplet(`t${count}`)]).catch(() => undefined);
        await eventually('triplets were deleted', async () => (await startOf(TRIPLETS.name)) > 0);
        for (const { partition, offset } of letters)
          expect(await log.read(DEAD_LETTERS.name, partition, offset)).not.toBeNull();
      },
      TIMEOUT_MS,
    );

    test('refuses only clients’ records while the disk is short of space', async () => {
      environment.shortage = 'the disk is nearly full';
      const refused = await log.append([triplet('a')]).catch((error: unknown) => error);
      expect((refused as AppendError).outcomes[0]).toBeInstanceOf(LogFull);
      expect((refused as AppendError).message).toContain('the disk is nearly full');
      expect(await log.append([triplet('entry', LEDGER.name)])).toHaveLength(1);
      environment.shortage = null;
      expect(await log.append([triplet('a')])).toHaveLength(1);
    });
  });
}
