import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { AppendError, AppendFailure, type LogRecord } from '#platform/event-log/port.ts';
import { LEASE_MS } from '#platform/state/port.ts';
import {
  type Batches,
  codesOf,
  idsOf,
  resultsOf,
  startBatches,
  TRIPLET,
  triplets,
} from '../testing/batches.ts';
import type { Harness } from '../testing/harness.ts';

let batches: Batches;
beforeAll(async () => {
  batches = await startBatches();
});
afterAll(() => batches.harness.close());

const send: Batches['send'] = (...sent) => batches.send(...sent);

describe('an Idempotency-Key', () => {
  test('covers the whole batch: a repeat gets the same answer, and is neither counted nor charged', async () => {
    const limited = await batches.harness.customer('PRO', { rate: 0.001, burst: 20 });
    await batches.makeSandbox(limited.headers);
    const headers = { ...limited.headers, 'idempotency-key': 'whole' };
    const items = [...triplets(150), 7];
    const first = await send(items, headers);
    expect([first.status, first.body.accepted, first.headers['x-ratelimit-remaining']]).toEqual([
      202,
      150,
      '17',
    ]);
    const before = [await batches.count(limited), batches.records().length];
    const repeat = await send(items, headers);
    expect(repeat.headers['idempotent-replayed']).toBe('true');
    expect(repeat.text).toBe(first.text);
    expect(repeat.headers['x-ratelimit-remaining']).toBe('16');
    expect([await batches.count(limited), batches.records().length]).toEqual(before);
    const other = await send([...items, TRIPLET], headers);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('used twenty times at once creates one set of audits', async () => {
    const before = batches.records().length;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(triplets(10), batches.withKey('twenty'))),
    );
    const accepted = answers.filter(({ status }) => status === 202);
    expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
    for (const { status, body } of answers)
      if (status !== 202) expect([status, body.code]).toEqual([409, 'IDEMPOTENCY_IN_FLIGHT']);
    expect(batches.records().length).toBe(before + 10);
  });

  test('whose first attempt died is taken over with the same ids, digests and texts', async () => {
    const headers = batches.withKey('died');
    const { append } = batches.harness.log;
    let onStarted = (): void => undefined;
    const reached = new Promise<void>((resolve) => {
      onStarted = resolve;
    });
    let lost: readonly LogRecord[] = [];
    batches.harness.log.append = (batch) => {
      lost = batch;
      onStarted();
      // As if the process had died: no answer ever comes.
      return new Promise(() => undefined);
    };
    void send(triplets(5), headers);
    await reached;
    batches.harness.log.append = append;
    expect((await send(triplets(5), headers)).body.code).toBe('IDEMPOTENCY_IN_FLIGHT');
    const before = await batches.count();
    batches.harness.skew += LEASE_MS;
    const answer = await send(triplets(5), headers);
    expect([answer.status, idsOf(answer)]).toEqual([202, lost.map(({ key }) => key)]);
    expect(await batches.count()).toBe(before);
    const digests = (of: readonly LogRecord[]) =>
      of.map(({ value }) => batches.harness.dependencies.codec.decodeTriplet(value).payloadDigest);
    expect(digests(batches.records().slice(-5))).toEqual(digests(lost));
  });
});

describe('an append that fails', () => {
  const broken = async <T>(mode: Harness['log']['mode'], run: () => Promise<T>): Promise<T> => {
    batches.harness.log.mode = mode;
    return run().finally(() => {
      batches.harness.log.mode = 'takes';
    });
  };
  /** The log accepts all records except those at these indexes. */
  const failing = async <T>(
    indexes: readonly number[],
    certain: boolean,
    run: () => Promise<T>,
  ): Promise<T> => {
    const { append } = batches.harness.log;
    batches.harness.log.append = async (batch) => {
      const accepted = await append(batch.filter((_, index) => !indexes.includes(index)));
      const outcomes = batch.map((_, index) =>
        indexes.includes(index) ? new AppendFailure('lost', certain) : accepted.shift()!,
      );
      throw new AppendError('lost', outcomes);
    };
    return run().finally(() => {
      batches.harness.log.append = append;
    });
  };
  test('for all items certainly releases everything', async () => {
    const before = [await batches.count(), batches.records().length];
    for (const headers of [batches.customer.headers, batches.withKey('all fail')]) {
      const answer = await broken('refuses', () => send([...triplets(2), 7], headers));
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ success: false, accepted: 0, rejected: 3 });
      expect(resultsOf(answer).map(({ error }) => error?.statusCode)).toEqual([503, 503, 400]);
      expect(answer.headers['retry-after']).toBe('1');
      expect([await batches.count(), batches.records().length]).toEqual(before);
    }
    const repeat = await send([...triplets(2), 7], batches.withKey('all fail'));
    expect([repeat.status, repeat.body.accepted]).toEqual([202, 2]);
  });

  test('for some items answers them with 503; the answer is not remembered, and a repeat appends under the same ids', async () => {
    const before = await batches.count();
    const headers = batches.withKey('some fail');
    const answer = await failing([1, 3], true, () => send([7, ...triplets(4)], headers));
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ success: true, accepted: 2, rejected: 3 });
    expect(codesOf(answer)).toEqual(['INVALID_REQUEST', 'QUEUED', 'UNAVAILABLE', 'QUEUED', 'UNAVAILABLE']);
    expect(answer.headers['retry-after']).toBe('1');
    const repeat = await send([7, ...triplets(4)], headers);
    expect(codesOf(repeat)).toEqual(['INVALID_REQUEST', 'QUEUED', 'QUEUED', 'QUEUED', 'QUEUED']);
    expect(repeat.headers['idempotent-replayed']).toBeUndefined();
    expect([idsOf(repeat)[0], idsOf(repeat)[2]]).toEqual(idsOf(answer));
    expect(await batches.count()).toBe(before + 4);
    const again = await send([7, ...triplets(4)], headers);
    expect([again.headers['idempotent-replayed'], again.text]).toEqual(['true', repeat.text]);
  });

  test('for some items, without a key, releases what was certainly not appended', async () => {
    const before = await batches.count();
    await failing([0, 1], true, () => send(triplets(5)));
    expect(await batches.count()).toBe(before + 3);
    await failing([0, 1], false, () => send(triplets(5)));
    expect(await batches.count()).toBe(before + 8);
  });

  test('uncertainly keeps the count, and a repeat appends the same ids', async () => {
    const before = await batches.count();
    const headers = batches.withKey('uncertain');
    const answer = await broken('lost answer', () => send(triplets(3), headers));
    expect([answer.status, ...codesOf(answer)]).toEqual([400, 'UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE']);
    const lost = batches
      .records()
      .slice(-3)
      .map(({ key }) => key);
    // Even if the second attempt is certain, the first may have left its records in the log.
    await broken('refuses', () => send(triplets(3), headers));
    const repeat = await send(triplets(3), headers);
    expect([repeat.status, idsOf(repeat)]).toEqual([202, lost]);
    expect(await batches.count()).toBe(before + 3);
  });
});
