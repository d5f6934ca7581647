import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { recordDigest } from '#platform/event-log/record-digest.ts';
import { flushOutbox } from '#platform/outbox/flush.ts';
import { type State, StateUnavailable, SYSTEM_SCOPE } from '#platform/state/port.ts';
import { stopNotes } from '#platform/stream/partition/stop-notes.ts';
import type { PartitionStop } from '#platform/stream/partition/stops.ts';
import { LEDGER } from '#schemas/topics.ts';
import { type Harness, internalHeaders, startHarness, type TestCustomer } from '../testing/harness.ts';

/** If set, the next write of a decision fails after it took effect, and nothing is announced. */
let loseWrite = false;
const wrapState = (state: State): State => ({
  ...state,
  documents: {
    ...state.documents,
    write: async (scope, writes, ...rest) => {
      const outcome = await state.documents.write(scope, writes, ...rest);
      if (!loseWrite || writes[0]?.collection !== 'acceptedLosses') return outcome;
      loseWrite = false;
      throw new StateUnavailable('the answer was lost');
    },
  },
});

let harness: Harness;
let customer: TestCustomer;
beforeAll(async () => {
  harness = await startHarness({ wrapState });
  await harness.state.documents.write(SYSTEM_SCOPE, [
    { collection: 'meta', id: 'logEpoch', value: { epoch: 2, setUp: 'tests' } },
  ]);
});
afterAll(() => harness.close());

const notes = () => stopNotes(harness.state.expiring, 'sink');
let stop: PartitionStop;
/** A record of the customer's ledger that stops its partition. */
beforeEach(async () => {
  loseWrite = false;
  customer = await harness.customer();
  const value = Buffer.from('not to be read: Jane Roe');
  const [placed] = await harness.log.append([
    { topic: LEDGER.name, key: customer.id, value, headers: { schema: 'x' } },
  ]);
  stop = {
    topic: LEDGER.name,
    partition: placed!.partition,
    kind: 'RECORD_REFUSED',
    reason: 'UNDECODABLE',
    offset: placed!.offset,
    untilOffset: null,
    message: 'what to do',
    since: Date.parse('2026-11-20T09:30:00.000Z'),
  };
  await notes().note(stop);
});
afterEach(() => notes().forget(stop.topic, stop.partition));

const record = () =>
  harness.log
    .of(LEDGER.name)
    .find(({ partition, offset }) => partition === stop.partition && offset === stop.offset)!;
const path = (topic = stop.topic, partition: string | number = stop.partition) =>
  `/internal/partitions/${topic}/${partition}`;
const get = (url: string) => harness.call({ url, headers: internalHeaders });
const accept = (payload: object, url = path()) =>
  harness.call({ method: 'POST', url: `${url}/losses`, headers: internalHeaders, payload });
const named = (change: object = {}) => ({
  offset: stop.offset,
  digest: recordDigest(record()),
  reason: 'a faulty program wrote it',
  ...change,
});
/** Accepted losses in the customer's ledger. */
const recorded = () =>
  harness.log
    .of(LEDGER.name)
    .filter(
      ({ key, offset, partition }) =>
        key === customer.id && (partition !== stop.partition || offset !== stop.offset),
    )
    .map(({ value }) => harness.dependencies.codec.decodeLedgerEntry(value))
    .filter(({ kind }) => kind === 'EVIDENCE_EVENT');

test('stopped partitions are listed with what to do', async () => {
  const gap = { ...stop, topic: 'audit.triplets', partition: 0, kind: 'LOG_HOLE', untilOffset: 9 } as const;
  await stopNotes(harness.state.expiring, 'analyzer').note(gap);
  const { body } = await get('/internal/partitions');
  expect(body.data).toEqual([
    { ...gap, group: 'analyzer', since: '2026-11-20T09:30:00.000Z', acceptable: true },
    { ...stop, group: 'sink', since: '2026-11-20T09:30:00.000Z', acceptable: true },
  ]);
  await stopNotes(harness.state.expiring, 'analyzer').forget('audit.triplets', 0);
  expect((await get('/internal/partitions')).body.data).toHaveLength(1);
});

test('losses are listed newest first, and simultaneous ones in the order found', async () => {
  const reason = 'listed by this test';
  const accepted = (offset: number, acceptedAt: string) => ({
    collection: 'acceptedLosses',
    id: `2:${LEDGER.name}:0:${offset}`,
    value: {
      epoch: 2,
      topic: LEDGER.name,
      partition: 0,
      offset,
      untilOffset: offset + 1,
      digest: '',
      cause: 'LOG_HOLE',
      reason,
      acceptedAt,
      acceptedBy: 'Ann',
      entryId: null,
    },
  });
  const [early, late] = ['2026-11-20T09:30:00.000Z', '2026-11-20T09:31:00.000Z'];
  // Far above the other tests' records, one of which may be in the same partition.
  const [first, second, third, fourth] = [900_001, 900_002, 900_003, 900_004] as const;
  const losses = [first, second, third].map((offset) => accepted(offset, early));
  await harness.state.documents.write(SYSTEM_SCOPE, [...losses, accepted(fourth, late)]);
  const { body } = await get('/internal/partitions');
  const listed = body.losses.filter((loss: { reason: string }) => loss.reason === reason);
  expect(listed.map(({ offset }: { offset: number }) => offset)).toEqual([fourth, first, second, third]);
});

describe('the record that stops a partition', () => {
  test('is shown by its position, never by its content', async () => {
    const { body, text } = await get(path());
    const { timestamp } = record();
    expect(body.record).toEqual({
      offset: stop.offset,
      timestamp: new Date(timestamp).toISOString(),
      key: customer.id,
      headers: { schema: 'x' },
      valueBytes: record().value.length,
      digest: recordDigest(record()),
      kind: null,
      id: null,
    });
    expect(text).not.toContain('Jane');
  });

  test('can be downloaded unchanged, and no other record can', async () => {
    const { body } = await get(`${path()}/record`);
    expect(Buffer.from(body.valueBase64, 'base64')).toEqual(record().value);
    expect(body).toMatchObject({ key: customer.id, offset: stop.offset, digest: recordDigest(record()) });
    await notes().forget(stop.topic, stop.partition);
    expect((await get(`${path()}/record`)).status).toBe(404);
    expect((await get(path())).status).toBe(404);
  });

  test('is a conflict if gone from the log, until the partition checks again', async () => {
    await notes().note({ ...stop, offset: 999_999 });
    for (const url of [path(), `${path()}/record`]) {
      const { status, body } = await get(url);
      expect([status, body.code]).toEqual([409, 'PARTITION_NOT_STOPPED']);
    }
  });

  test.each([
    ['audit.ledger', '12'],
    ['audit.ledger', 'x'],
    ['other', '1'],
    ['constructor', '0'],
  ])('is not found for the unknown partition %s/%s', async (topic, partition) => {
    expect((await get(path(topic, partition))).status).toBe(404);
    expect((await accept(named(), path(topic, partition))).status).toBe(404);
  });
});

describe('accepting a loss', () => {
  test('records it in the ledger of the customer whose key the record carried', async () => {
    const answer = await accept(named({ acceptedBy: 'Ann' }));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      epoch: 2,
      partition: stop.partition,
      offset: stop.offset,
      untilOffset: (stop.offset ?? 0) + 1,
      cause: 'UNDECODABLE',
      reason: 'a faulty program wrote it',
      acceptedBy: 'Ann',
      entryId: `EVIDENCE_EVENT:loss:2:${stop.topic}:${stop.partition}:${stop.offset}`,
    });
    await harness.settled();
    expect(recorded().map(({ core }) => JSON.parse(core))).toEqual([
      {
        type: 'LOSS_ACCEPTED',
        epoch: 2,
        topic: stop.topic,
        partition: stop.partition,
        offset: stop.offset,
        untilOffset: (stop.offset ?? 0) + 1,
        digest: recordDigest(record()),
        cause: 'UNDECODABLE',
        at: answer.body.acceptedAt,
      },
    ]);
    // A person's text and name are sealed.
    expect(JSON.stringify(recorded())).not.toContain('faulty');
    const { losses } = (await get('/internal/partitions')).body;
    expect(losses).toContainEqual(answer.body.data);
  });

  test('repeated, even after its partition resumed, answers with the first acceptance', async () => {
    const first = await accept(named());
    harness.skew += 60_000;
    await notes().forget(stop.topic, stop.partition);
    const again = await accept(named({ reason: 'another reason' }));
    expect([again.status, again.body]).toEqual([200, first.body]);
    await harness.settled();
    expect(new Set(recorded().map(({ id }) => id)).size).toBe(1);
    expect((await accept(named({ digest: 'ab'.repeat(32) }))).body.code).toBe('RECORD_DIFFERS');
  });

  test('is completed by the repeat if its answer was lost before its entry was appended', async () => {
    loseWrite = true;
    expect((await accept(named())).status).toBe(503);
    expect(recorded()).toEqual([]);
    expect((await accept(named())).status).toBe(200);
    await harness.settled();
    expect(recorded()).toHaveLength(1);
  });

  test('concurrently decides once', async () => {
    const answers = await Promise.all(['one', 'two', 'three'].map((reason) => accept(named({ reason }))));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    await harness.settled();
    expect(new Set(recorded().map(({ coreHash }) => coreHash.toString('hex'))).size).toBe(1);
  });

  test('is refused for another record, or for a partition that is not stopped there', async () => {
    expect((await accept(named({ digest: 'ab'.repeat(32) }))).body.code).toBe('RECORD_DIFFERS');
    expect((await accept(named({ digest: undefined }))).body.code).toBe('RECORD_DIFFERS');
    expect((await accept(named({ offset: (stop.offset ?? 0) + 1 }))).body.code).toBe('PARTITION_NOT_STOPPED');
    expect((await accept(named({ offset: -1 }))).status).toBe(400);
    expect((await accept(named({ reason: '' }))).status).toBe(400);
    expect((await get('/internal/partitions')).body.losses).not.toContainEqual(
      expect.objectContaining({ partition: stop.partition, offset: stop.offset }),
    );
  });

  test.each(['TOO_MANY_DEAD_LETTERS', 'START_REFUSED', 'LOG_HOLE'] as const)(
    'is refused for %s, with what to do instead',
    async (kind) => {
      stop = { ...stop, kind, offset: kind === 'LOG_HOLE' ? stop.offset : null, message: `mend ${kind}` };
      await notes().note(stop);
      const answer = await accept({ offset: stop.offset ?? 0, reason: 'r' });
      expect([answer.status, answer.body.code]).toEqual([409, 'LOSS_NOT_ACCEPTABLE']);
      expect(answer.body.message).toBe(`mend ${kind}`);
    },
  );

  test('for missing records names no digest, and no ledger records it', async () => {
    stop = { ...stop, kind: 'LOG_HOLE', reason: 'RECORDS_MISSING', untilOffset: (stop.offset ?? 0) + 7 };
    await notes().note(stop);
    expect((await accept(named())).body.code).toBe('RECORD_DIFFERS');
    const answer = await accept({ offset: stop.offset, reason: 'the disk was lost' });
    expect(answer.body).toMatchObject({ digest: '', untilOffset: stop.untilOffset, entryId: null });
    await harness.settled();
    expect(recorded()).toEqual([]);
  });

  test('for a record without a customer’s key, or with an erased one’s, is in no ledger', async () => {
    await harness.call({
      method: 'DELETE',
      url: `/internal/customers/${customer.id}`,
      headers: internalHeaders,
    });
    expect((await accept(named())).body.entryId).toBeNull();
  });

  test('keeps an entry that could not be appended in the outbox', async () => {
    harness.log.mode = 'refuses';
    const answer = await accept(named());
    await harness.settled();
    harness.log.mode = 'takes';
    expect([answer.status, recorded()]).toEqual([200, []]);
    for (const ref of await harness.state.documents.withPending(100)) {
      await flushOutbox({ documents: harness.state.documents, log: harness.log }, ref);
    }
    expect(recorded()).toHaveLength(1);
  });
});
