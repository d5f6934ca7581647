import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { partitionOf } from '../../murmur2.ts';
import { type AppendError, type Appended, AppendFailure, LogOverloaded, type LogRecord } from '../../port.ts';
import { recordBytes } from '../../record-size.ts';
import { type Fault, type ScriptedBrokers, scriptedBrokers } from '../../testing/scripted-brokers.ts';
import { createKafkaProducer, type KafkaProducerOptions } from './producer.ts';

const PARTITIONS = 6;
const MIB = 1024 * 1024;

/** A record whose key maps to the partition. */
function recordIn(partition: number, text: string, bytes = 0): LogRecord {
  for (let n = 0; ; n += 1) {
    const key = `key-${n}`;
    if (partitionOf(key, PARTITIONS) === partition)
      return { topic: 't', key, value: Buffer.concat([Buffer.from(text), Buffer.alloc(bytes)]), headers: {} };
  }
}

function producerOn({ cluster, pool }: ScriptedBrokers, options: Partial<KafkaProducerOptions> = {}) {
  return createKafkaProducer({
    cluster,
    pool,
    partitions: () => PARTITIONS,
    timeoutMs: 5_000,
    requestTimeoutMs: 1_000,
    batchDelayMs: 0,
    limits: { records: 500, bytes: 3 * MIB },
    maxWaitingBytes: 64 * MIB,
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ...options,
  });
}

/** Whether a promise has settled by now. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  const open = Symbol('open');
  return (await Promise.race([promise.catch(() => null), Promise.resolve(open)])) !== open;
};

describe('kafka producer over many partitions', () => {
  test('a partition without a leader delays no other, and its own records are stored in order once it has one', async () => {
    const brokers = scriptedBrokers(1);
    const { append } = producerOn(brokers);
    brokers.removeLeader(0);
    const stuck = append([recordIn(0, 'a')]);
    const queued = append([recordIn(0, 'b'), recordIn(1, 'beside')]);
    for (let n = 0; n < 20; n += 1) expect(await append([recordIn(1 + (n % 5), `r${n}`)])).toHaveLength(1);
    expect(await isSettled(stuck)).toBe(false);
    expect(await isSettled(queued)).toBe(false);
    expect(brokers.stored(1)).toEqual(['beside', 'r0', 'r5', 'r10', 'r15']);
    expect(brokers.stored(0)).toEqual([]);
    brokers.restoreLeader(0);
    expect(await stuck).toMatchObject([{ partition: 0, offset: 0 }]);
    expect(await queued).toMatchObject([
      { partition: 0, offset: 1 },
      { partition: 1, offset: 0 },
    ]);
    expect(brokers.stored(0)).toEqual(['a', 'b']);
  });

  test('a broker that hangs delays only the partitions it leads', async () => {
    const brokers = scriptedBrokers(3);
    const { append } = producerOn(brokers);
    await append([recordIn(0, 'first')]);
    brokers.hang(1);
    const stuck = append([recordIn(1, 'a'), recordIn(4, 'b')]);
    for (let n = 0; n < 20; n += 1) await append([recordIn(0, `r${n}`), recordIn(2, `r${n}`)]);
    expect(await isSettled(stuck)).toBe(false);
    brokers.resume(1);
    await stuck;
    expect([1, 4].map(brokers.stored)).toEqual([['a'], ['b']]);
  });

  test('records queued for a broker that hangs go to the new leaders', async () => {
    const brokers = scriptedBrokers(2);
    const { append } = producerOn(brokers);
    brokers.hang(1);
    const stuck = append([recordIn(1, 'a')]);
    while (brokers.inFlight(1).now === 0) await new Promise(setImmediate);
    const queued = append([recordIn(3, 'b')]);
    brokers.moveLeader(1, 0);
    brokers.moveLeader(3, 0);
    brokers.cut(1);
    await Promise.all([stuck, queued]);
    expect([1, 3].map(brokers.stored)).toEqual([['a'], ['b']]);
  });

  test('a broker gets one request at a time, and records appended meanwhile share the next', async () => {
    const brokers = scriptedBrokers(2);
    const { append } = producerOn(brokers, { limits: { records: 7, bytes: 3 * MIB } });
    const appending = Array.from({ length: 200 }, (_, n) => append([recordIn(n % PARTITIONS, `r${n}`)]));
    await Promise.all(appending);
    expect([0, 1].map((node) => brokers.inFlight(node).max)).toEqual([1, 1]);
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const expected = Array.from({ length: 200 }, (_, n) => n).filter((n) => n % PARTITIONS === partition);
      expect(brokers.stored(partition)).toEqual(expected.map((n) => `r${n}`));
    }
  });

  test('records that wait for a leader use at most half of the limit; the rest is for partitions that make progress', async () => {
    let time = 0;
    const brokers = scriptedBrokers(1);
    const bytes = recordBytes(recordIn(0, '', 1_000));
    const { append, close } = producerOn(brokers, { maxWaitingBytes: 10 * bytes, clock: () => time });
    brokers.removeLeader(0);
    const stuck = [append([recordIn(0, '', 1_000)])];
    time = 2_000;
    for (let n = 0; n < 4; n += 1) stuck.push(append([recordIn(0, '', 1_000)]));
    const refused: AppendError = await append([recordIn(0, '', 1_000), recordIn(1, '', 1_000)]).catch(
      (error) => error,
    );
    expect(refused.outcomes[0]).toBeInstanceOf(LogOverloaded);
    expect(refused.outcomes[1]).toMatchObject({ partition: 1, offset: 0 });
    expect(await append([recordIn(1, '', 4_000)])).toMatchObject([{ partition: 1, offset: 1 }]);
    brokers.restoreLeader(0);
    await Promise.all(stuck);
    await close();
  });

  test('waiting records never exceed the limit, no matter how many partitions are stuck', async () => {
    const brokers = scriptedBrokers(1);
    const bytes = recordBytes(recordIn(0, '', 1_000));
    const { append } = producerOn(brokers, { maxWaitingBytes: 3 * bytes });
    brokers.hang(0);
    const stuck = [0, 1, 2].map((partition) => append([recordIn(partition, '', 1_000)]));
    const refused: AppendError = await append([recordIn(4, '', 1_000)]).catch((error) => error);
    expect(refused.outcomes).toEqual([expect.any(LogOverloaded)]);
    brokers.resume(0);
    await Promise.all(stuck);
    expect(await append([recordIn(4, '', 1_000)])).toHaveLength(1);
  });

  test('a record that waits too long for a stuck batch fails with certainty', async () => {
    let time = 0;
    const brokers = scriptedBrokers(1);
    const { append } = producerOn(brokers, { clock: () => time, timeoutMs: 1_000 });
    brokers.hang(0);
    const slow = append([recordIn(0, 'slow')]);
    while (brokers.inFlight(0).now === 0) await new Promise(setImmediate);
    const waiting = append([recordIn(0, 'late')]).catch((error: AppendError) => error.outcomes[0]);
    time = 1_001;
    brokers.resume(0);
    await slow;
    expect(await waiting).toBeInstanceOf(AppendFailure);
    expect(await waiting).toMatchObject({ certain: true });
    expect(brokers.stored(0)).toEqual(['slow']);
  });

  test('a call with only an oversized record sends nothing, and a closed log refuses', async () => {
    const brokers = scriptedBrokers(1);
    const { append, close } = producerOn(brokers);
    const error: AppendError = await append([recordIn(0, '', 5 * MIB)]).catch((thrown) => thrown);
    expect(error.outcomes).toMatchObject([{ certain: true }]);
    await close();
    expect(brokers.inFlight(0).max).toBe(0);
    await expect(append([recordIn(0, 'a')])).rejects.toMatchObject({ outcomes: [{ certain: true }] });
  });
});

describe('kafka producer under random failures', () => {
  const faults = fc.constantFrom<Fault | null>(
    null,
    null,
    null,
    'lose the request',
    'lose the answer',
    'not the leader',
    'unreachable',
  );

  test('a confirmed record is stored once and in order, and a record that failed with certainty is never stored', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(faults, { maxLength: 40 }),
        fc.array(fc.array(fc.nat(PARTITIONS - 1), { minLength: 1, maxLength: 5 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 6 }),
        async (script, calls, records) => {
          const brokers = scriptedBrokers(2, () => script.shift() ?? null);
          const { append } = producerOn(brokers, { timeoutMs: 60, limits: { records, bytes: MIB } });
          let next = 0;
          const sent: { text: string; partition: number }[][] = [];
          const outcomes: Promise<readonly (Appended | AppendFailure)[]>[] = [];
          for (const partitions of calls) {
            const texts = partitions.map((partition) => ({ text: `r${next++}`, partition }));
            sent.push(texts);
            outcomes.push(
              append(texts.map(({ text, partition }) => recordIn(partition, text))).catch(
                (error: AppendError) => error.outcomes,
              ),
            );
            if (next % 3 === 0) await new Promise(setImmediate);
          }
          const results = (await Promise.all(outcomes)).flat();
          for (const [i, { text, partition }] of sent.flat().entries()) {
            const outcome = results[i]!;
            const copies = brokers.stored(partition).filter((one) => one === text).length;
            if (outcome instanceof AppendFailure) expect(copies).toBeLessThanOrEqual(outcome.certain ? 0 : 1);
            else expect(brokers.stored(partition)[outcome.offset]).toBe(text);
            if (!(outcome instanceof AppendFailure)) expect(copies).toBe(1);
          }
          for (let partition = 0; partition < PARTITIONS; partition += 1) {
            const numbers = brokers.stored(partition).map((text) => Number(text.slice(1)));
            expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
