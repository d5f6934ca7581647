import { blanked, timeOf } from '#core/evidence/testing/sample-chain.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import { LogUnavailable } from '#platform/event-log/port.ts';
import { POSITIONS, SIGNALS, type SignalRow } from '#schemas/tables/tables.ts';
import { LEDGER } from '#schemas/topics.ts';
import { type ExportWorld, startExportWorld } from './testing/export-world.ts';

const EXPORT = '/dashboard/signals/export';

let world: ExportWorld;
let bounds: ExportWorld['harness']['log']['bounds'];
beforeAll(async () => {
  world = await startExportWorld();
  bounds = world.harness.log.bounds;
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  await world.clear();
  world.harness.log.bounds = bounds;
  world.harness.skew = 0;
});

/** Row numbers and trailers of an export as NDJSON. */
async function exported(query: string) {
  const { status, bytes, trailers, headers } = await world.get(`${EXPORT}?format=ndjson&${query}`);
  const text = bytes.toString('utf8');
  if (status !== 200)
    return { status, headers, error: JSON.parse(text), indexes: [], digest: '', asOf: '', treeSize: '' };
  return {
    status,
    headers,
    error: null,
    indexes: text
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { index: number }).index),
    digest: trailers['content-digest']!,
    asOf: trailers['x-as-of']!,
    treeSize: trailers['x-tree-size']!,
  };
}

const manifest = async (query: string) => {
  const url = `${EXPORT}/manifest?format=ndjson&${query}`;
  return (await world.harness.call({ url, headers: world.customer.headers })).body;
};

/** A signal with these times. */
const at = (createdAt: string, acceptedAt = createdAt): Partial<SignalRow> => ({ createdAt, acceptedAt });

/** Marks everything of the customer in the log as stored by the sink. */
async function sinkCatchesUp(): Promise<void> {
  const partition = partitionOf(world.customer.id, LEDGER.partitions);
  const { end } = await bounds(LEDGER.name, partition);
  const row = { epoch: 1, topic: LEDGER.name, partition, nextOffset: end, lastDigest: '', lastAt: timeOf(0) };
  await world.real.insert(POSITIONS, [row]);
}

describe('asOf', () => {
  test('is the ledger up to the first younger entry, whatever is stored later', async () => {
    await world.store([at(timeOf(0)), at(timeOf(10)), at(timeOf(20))]);
    const then = await exported(`asOf=${timeOf(10)}`);
    expect([then.indexes, then.treeSize, then.asOf]).toEqual([[1, 0], '2', timeOf(10)]);
    // Analysed earlier but stored now: its time alone would let it in.
    await world.store([at(timeOf(5))]);
    expect(await exported(`asOf=${timeOf(10)}`)).toEqual({ ...then, headers: expect.anything() });
    const { contentDigest, rowCount, treeSize, complete } = await manifest(`asOf=${timeOf(10)}`);
    expect([contentDigest, rowCount, treeSize, complete]).toEqual([then.digest, 2, 2, true]);
    expect((await exported('')).indexes).toEqual([2, 1, 3, 0]);
    // One row matches the filter, and one does not.
    expect((await exported(`asOf=${timeOf(10)}&to=${timeOf(9)}`)).indexes).toEqual([0]);
  });

  test('excludes signals reported later, whatever their time', async () => {
    await world.store([at(timeOf(0))]);
    const then = await exported(`asOf=${timeOf(10)}`);
    await world.store([at(timeOf(1), timeOf(11))]);
    expect(await exported(`asOf=${timeOf(10)}`)).toEqual({ ...then, headers: expect.anything() });
    expect((await exported(`asOf=${timeOf(11)}`)).indexes).toEqual([1, 0]);
  });

  test('with an open end names the treeSize that gives the same file again', async () => {
    await world.store([at(timeOf(0)), at(timeOf(1))]);
    const first = await exported(`asOf=${timeOf(10)}`);
    expect([first.indexes, first.treeSize]).toEqual([[1, 0], '2']);
    // It was delayed on its way from an analyzer.
    await world.store([at(timeOf(2))]);
    expect((await exported(`asOf=${timeOf(10)}`)).indexes).toEqual([2, 1, 0]);
    for (const query of [`asOf=${timeOf(10)}&treeSize=2`, 'treeSize=2']) {
      const again = await exported(query);
      expect([again.digest, again.indexes]).toEqual([first.digest, [1, 0]]);
      expect(await manifest(query)).toMatchObject({
        contentDigest: first.digest,
        rowCount: 2,
        complete: true,
      });
    }
    expect((await exported('treeSize=0')).indexes).toEqual([]);
  });

  test('waits until the sink has stored what the log accepted', async () => {
    await world.store([at(timeOf(0))]);
    const startedAt = Date.now();
    let polls = 0;
    world.harness.log.bounds = async (...args) => {
      polls++;
      // At the third poll the sink has caught up.
      if (polls === 3) {
        await world.store([at(new Date(startedAt).toISOString())]);
        await sinkCatchesUp();
      }
      return bounds(...args);
    };
    const asOf = new Date(startedAt).toISOString();
    expect((await exported(`asOf=${asOf}`)).indexes).toEqual([1, 0]);
    expect(polls).toBe(3);
  });

  test('is refused with a retry if the sink does not catch up in time', async () => {
    await world.store([at(timeOf(0))]);
    world.harness.log.bounds = async (...args) => {
      world.harness.skew += 6_000;
      return bounds(...args);
    };
    const { status, headers, error } = await exported(`asOf=${new Date().toISOString()}`);
    expect([status, headers['retry-after'], error.code]).toEqual([503, '5', 'UNAVAILABLE']);
    expect(error.message).toMatch(/^Signals up to asOf are not all stored yet/);
    // What is stored is still exported.
    expect((await exported('')).indexes).toEqual([0]);
  });

  test('in the distant past needs only what was stored then', async () => {
    await world.store([at(timeOf(0)), at(timeOf(50))]);
    world.harness.log.bounds = () => Promise.reject(new LogUnavailable('down'));
    expect((await exported(`asOf=${timeOf(10)}`)).indexes).toEqual([0]);
    expect((await exported('')).indexes).toEqual([1, 0]);
    expect(await manifest('')).toMatchObject({ rowCount: 2, complete: false });
  });

  test('defaults to now, or to the time of a fast clock', async () => {
    const ahead = new Date(Date.now() + 60_000).toISOString();
    await world.store([at(timeOf(0)), at(timeOf(1), ahead), at(ahead)]);
    await sinkCatchesUp();
    const all = await exported('');
    expect([all.indexes, all.asOf]).toEqual([[2, 1, 0], ahead]);
    const again = await exported(`asOf=${all.asOf}&treeSize=${all.treeSize}`);
    expect(again.digest).toBe(all.digest);
    expect(await manifest('')).toMatchObject({ contentDigest: all.digest, asOf: ahead, complete: true });
  });

  test('accepts a date or a timestamp that is not in the future', async () => {
    await world.store([at(timeOf(0)), at(timeOf(1)), at('2026-01-02T00:00:00.000Z')]);
    expect((await exported('asOf=2026-01-01')).indexes).toEqual([1, 0]);
    for (const [query, path] of [
      ['asOf=soon', 'asOf'],
      ['asOf=2199-01-01', 'asOf'],
      ['treeSize=-1', 'treeSize'],
      ['treeSize=4', 'treeSize'],
      ['asOf=2026-01-01&treeSize=3', 'treeSize'],
    ]) {
      const { status, error } = await exported(query!);
      expect([query, status, error.details[0].path]).toEqual([query, 400, path]);
    }
  });
});

describe('an export of the same entries', () => {
  test('changes only through erasures', async () => {
    const [first, second] = await world.store([at(timeOf(0)), at(timeOf(1)), at(timeOf(2))]);
    const before = await exported('treeSize=3');
    await world.real.insert(SIGNALS, [blanked(second!, 'ALL', 9)]);
    const after = await exported('treeSize=3');
    expect([before.indexes, after.indexes]).toEqual([
      [2, 1, 0],
      [2, 0],
    ]);
    // The remains of an erased signal still have its acceptance time.
    await world.real.insert(SIGNALS, [blanked(first!, 'ALL', 10)]);
    expect((await exported(`asOf=${timeOf(1)}`)).treeSize).toBe('2');
  });

  test('has as many rows as the dashboard reports', async () => {
    await world.store([
      { ...at(timeOf(0)), riskLevel: 'LOW' },
      { ...at(timeOf(1)), riskLevel: 'HIGH' },
      { ...at(timeOf(2)), riskLevel: 'HIGH' },
    ]);
    for (const range of ['', `&from=${timeOf(1)}`, `&from=${timeOf(0)}&to=${timeOf(1)}`]) {
      const url = `/dashboard/stats?${range.slice(1)}`;
      const { body } = await world.harness.call({ url, headers: world.customer.headers });
      const { LOW, MEDIUM, HIGH, CRITICAL } = body.riskBreakdown;
      expect((await manifest(range.slice(1))).rowCount).toBe(LOW + MEDIUM + HIGH + CRITICAL);
      expect((await manifest(`riskLevel=HIGH${range}`)).rowCount).toBe(HIGH);
    }
  });

  test('contains nothing of another customer', async () => {
    await world.store([at(timeOf(0))]);
    const other = await world.harness.customer();
    const url = `${EXPORT}?format=ndjson`;
    const answer = await world.harness.call({ url, headers: other.headers });
    expect([answer.status, answer.text]).toEqual([200, '']);
    const refused = await world.harness.call({ url: `${url}&treeSize=1`, headers: other.headers });
    expect(refused.status).toBe(400);
  });
});
