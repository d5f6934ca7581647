import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { KeyDestroyed } from '#platform/sealing/port.ts';
import { type State, StateUnavailable, SYSTEM_SCOPE } from '#platform/state/port.ts';
import { signalClaims } from '#records/audits/signal-claims.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import { advanceErasure, erasureProgress, openErasures, requestErasure } from '#records/erasure/erasures.ts';
import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import { LEDGER, PARTITIONS, TRIPLETS } from '#schemas/topics.ts';
import { countRequests, type RequestsInProgress } from '../../operations/requests-in-progress.ts';
import {
  emptyWarehouse,
  type Harness,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '../../testing/harness.ts';
import { holdAppends } from '../../testing/held-appends.ts';
import { type ErasureStepDependencies, erasureStep } from './erasure-steps.ts';
import { phaseWaits } from './phase-waits.ts';

/** Entry id -> its index, of the entries that the sink has folded. */
const folded = new Map<string, number>();
/** Partition of the triplets -> offset up to which the list holds them. */
const listed = new Map<number, number>();
/** Results of successive scrubs; then true. */
let scrubs: (boolean | Error)[] = [];
let happened: string[] = [];
/** Monotonic, ms. */
let clockMs = 0;

let requests: RequestsInProgress;
let harness: Harness;
let given: ErasureStepDependencies;
let customer: TestCustomer;
let other: TestCustomer;

beforeEach(async () => {
  folded.clear();
  listed.clear();
  scrubs = [];
  happened = [];
  const warehouse = emptyWarehouse();
  warehouse.query = async <Row>(sql: string, params: Readonly<Record<string, unknown>> = {}) =>
    (sql.includes('FROM ledger_ids')
      ? positionsOf(String(params.entryId))
      : positions(params.topics as string[])) as Row[];
  requests = countRequests();
  harness = await startHarness({ warehouse, dependencies: { requests } });
  customer = await harness.customer();
  other = await harness.customer();
  for (const owner of [customer, other]) {
    const payload = { name: 'Support', slug: 'support', sandboxType: 'CUSTOM' };
    await harness.call({ method: 'POST', url: '/sandboxes', headers: owner.headers, payload });
  }
  const { documents } = harness.state;
  const state: State = {
    ...harness.state,
    scrub: async () => {
      const record = await recordOf(customer);
      happened.push(`scrub, name "${record.name}", ${record.erasure!.status}`);
      const outcome = scrubs.shift() ?? true;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
  given = {
    ...harness.dependencies,
    state,
    documents,
    makeEntry: entryMaker(harness.dependencies),
    keyring: {
      destroy: async (customerId) => {
        happened.push('key destroyed');
        await openKeyring({ state, masterKey: Buffer.alloc(32) }).destroy(customerId);
      },
    },
    probe: () => undefined,
    isInProgress: () => false,
    waits: phaseWaits(harness.dependencies.now, () => clockMs),
    stopping: new AbortController().signal,
  };
});
afterEach(() => harness.close());

const POSITION = { epoch: 1, partition: 3, offset: 7 };
const positionsOf = (entryId: string): object[] => {
  const index = folded.get(entryId);
  return index === undefined ? [] : [{ ...POSITION, index }];
};
const positions = (topics: readonly string[]): object[] => {
  const common = { epoch: 1, lastAt: new Date(0).toISOString() };
  const all = [
    { topic: LEDGER.name, ...common, partition: 3, nextOffset: 8 },
    ...[...listed].map(([partition, nextOffset]) => {
      return { topic: TRIPLETS.name, ...common, partition, nextOffset };
    }),
  ];
  return all.filter(({ topic }) => topics.includes(topic));
};

const recordOf = async ({ id }: TestCustomer): Promise<CustomerRecord> =>
  (await harness.state.documents.get<CustomerRecord>({ scope: id, collection: 'customers', id }))!.value;
const request = () =>
  requestErasure(given, {
    customerId: customer.id,
    id: 'erasure-1',
    at: new Date(given.now()).toISOString(),
  });
const step = () => erasureStep(given, customer.id);
const phase = async () => (await erasureProgress(given.documents, customer.id))?.value.phase;
const namedRanges = async (): Promise<ErasureCore['ranges'][]> => {
  await harness.settled();
  return harness.log
    .of(LEDGER.name)
    .filter(({ key }) => key === customer.id)
    .map(({ value }) => harness.dependencies.codec.decodeLedgerEntry(value))
    .filter(({ kind }) => kind === 'ERASURE')
    .map(({ core }) => (JSON.parse(core) as ErasureCore).ranges);
};
const toRemoval = async (closedAt: number): Promise<void> => {
  await request();
  folded.set('ERASURE:erasure-1:closing', closedAt);
  await step();
  for (let from = 0; from <= closedAt; from += 5_000) {
    await step();
    folded.set(`ERASURE:erasure-1:${from}-${Math.min(from + 4_999, closedAt)}`, closedAt + 1 + from);
  }
  await step();
};
const afterRemoval = async (): Promise<void> => {
  const stored = await erasureProgress(given.documents, customer.id);
  await advanceErasure(given.documents, customer.id, stored!, { phase: 'DESTROYING' });
};

describe('an erasure', () => {
  test('names all entries up to its closing one, 5,000 at a time, each batch after the last one is folded', async () => {
    await request();
    expect(await step()).toBe('waits');
    folded.set('ERASURE:erasure-1:closing', 10_000);
    expect([await step(), await phase()]).toEqual(['done', 'NAMING']);
    for (const [from, to] of [
      [0, 4_999],
      [5_000, 9_999],
      [10_000, 10_000],
    ] as const) {
      expect(await step()).toBe('done');
      expect(await step()).toBe('waits');
      expect((await namedRanges()).at(-1)).toEqual([[from, to]]);
      folded.set(`ERASURE:erasure-1:${from}-${to}`, 20_000 + from);
    }
    expect([await step(), await phase()]).toEqual(['done', 'REMOVING']);
    expect(await namedRanges()).toHaveLength(4);
    // From here on it is the sink's turn.
    expect([await step(), await phase()]).toEqual(['waits', 'REMOVING']);
    expect(happened).toEqual([]);
  });

  test('waits until the list holds everything accepted before it, and for nothing later', async () => {
    const accept = () =>
      harness.log.append([{ topic: TRIPLETS.name, key: 'k', value: Buffer.alloc(0), headers: {} }]);
    await accept();
    await toRemoval(3);
    expect([await step(), await phase()]).toEqual(['waits', 'NAMING']);
    harness.skew += 120_000;
    await accept();
    expect([await step(), await phase()]).toEqual(['waits', 'NAMING']);
    listed.set(partitionOf('k', PARTITIONS), 1);
    expect([await step(), await phase()]).toEqual(['done', 'REMOVING']);
  });

  test('waits for the longest possible request in progress at its start, however idle the log is', async () => {
    const { isInProgress: _, ...oneOfSeveral } = given;
    given = oneOfSeveral;
    await toRemoval(3);
    // The list holds everything in the log, but a request that was admitted before may still append.
    expect([await step(), await phase()]).toEqual(['waits', 'NAMING']);
    harness.skew += 59_000;
    expect([await step(), await phase()]).toEqual(['waits', 'NAMING']);
    await harness.log.append([{ topic: TRIPLETS.name, key: 'k', value: Buffer.alloc(0), headers: {} }]);
    harness.skew += 2_000;
    expect([await step(), await phase()]).toEqual(['waits', 'NAMING']);
    listed.set(partitionOf('k', PARTITIONS), 1);
    expect([await step(), await phase()]).toEqual(['done', 'REMOVING']);
  });

  test('waits for its limits, not for a clock that was set back', async () => {
    const { isInProgress: _, ...oneOfSeveral } = given;
    given = oneOfSeveral;
    const accept = () =>
      harness.log.append([{ topic: TRIPLETS.name, key: 'k', value: Buffer.alloc(0), headers: {} }]);
    await accept();
    await toRemoval(0);
    expect([await step(), await phase()]).toEqual(['waits', 'NAMING']);
    harness.skew -= 3_600_000;
    clockMs += 60_000;
    // Audits accepted before are not listed yet; later ones are not waited for.
    expect([await step(), await phase()]).toEqual(['waits', 'NAMING']);
    await accept();
    listed.set(partitionOf('k', PARTITIONS), 1);
    expect([await step(), await phase()]).toEqual(['done', 'REMOVING']);
    await afterRemoval();
    harness.skew += 3_600_000;
    expect([await step(), await phase()]).toEqual(['done', 'CLEANING']);
    harness.skew -= 3_600_000;
    expect([await step(), await phase()]).toEqual(['waits', 'CLEANING']);
    clockMs += 9_999;
    expect([await step(), await phase()]).toEqual(['waits', 'CLEANING']);
    clockMs += 1;
    expect(await step()).toBe('ended');
  });

  test('waits only for the customer’s requests in progress if no other process serves any', async () => {
    given = { ...given, isInProgress: requests.isInProgress };
    const ends: (() => void)[] = [];
    const request = (customerId: string) =>
      void requests.during(customerId, () => new Promise<void>((end) => void ends.push(end)));
    request(customer.id);
    request(customer.id);
    request(other.id);
    await toRemoval(3);
    expect([await step(), await phase()]).toEqual(['waits', 'NAMING']);
    ends[0]!();
    await new Promise(setImmediate);
    expect([await step(), await phase()]).toEqual(['waits', 'NAMING']);
    ends[1]!();
    await new Promise(setImmediate);
    expect([await step(), await phase()]).toEqual(['done', 'REMOVING']);
    ends[2]!();
  });

  test('waits for the customer’s ingest that has not reached the log yet, and for no other’s', async () => {
    given = { ...given, isInProgress: requests.isInProgress };
    const { reached, resume } = holdAppends(harness.log, (record) => record?.topic === TRIPLETS.name);
    const ingest = harness.call({
      method: 'POST',
      url: '/audit/ingest',
      headers: customer.headers,
      payload: { sandboxSlug: 'support', provider: 'p', model: 'm', prompt: 'hello', response: 'yes' },
    });
    await Promise.race([reached, ingest.then(({ text }) => expect(text).toBe('held up'))]);
    expect([requests.isInProgress(customer.id), requests.isInProgress(other.id)]).toEqual([true, false]);
    await toRemoval(3);
    expect([await step(), await phase()]).toEqual(['waits', 'NAMING']);
    resume();
    expect((await ingest).status).toBe(202);
    // The request is no longer in progress, but now its record is in the log.
    expect([await step(), await phase()]).toEqual(['waits', 'NAMING']);
    for (const { partition, offset } of harness.log.of(TRIPLETS.name)) listed.set(partition, offset + 1);
    expect([await step(), await phase()]).toEqual(['done', 'REMOVING']);
  });

  test('waits for a platform signal about the customer that has not reached the log yet', async () => {
    given = { ...given, isInProgress: requests.isInProgress };
    const { reached, resume } = holdAppends(harness.log, (record) => record?.headers.source === 'INTERNAL');
    const signal = harness.call({
      method: 'POST',
      url: '/internal/signal',
      headers: internalHeaders,
      payload: {
        customerId: customer.id,
        sandboxSlug: 'support',
        provider: 'p',
        model: 'm',
        riskLevel: 'LOW',
      },
    });
    await Promise.race([reached, signal.then(({ text }) => expect(text).toBe('held up'))]);
    expect([requests.isInProgress(customer.id), requests.isInProgress(other.id)]).toEqual([true, false]);
    await toRemoval(3);
    expect([await step(), await phase()]).toEqual(['waits', 'NAMING']);
    resume();
    expect((await signal).status).toBe(201);
    expect(requests.isInProgress(customer.id)).toBe(false);
  });

  test('destroys the key once nothing readable is stored, then cleans, scrubs and completes', async () => {
    await toRemoval(3);
    await afterRemoval();
    expect([await step(), await phase()]).toEqual(['done', 'CLEANING']);
    expect(await step()).toBe('waits');
    expect(await given.documents.list(customer.id, 'sandboxes')).toHaveLength(1);
    harness.skew += 10_001;
    scrubs = [new StateUnavailable('busy')];
    await expect(step()).rejects.toThrow('busy');
    expect((await recordOf(customer)).erasure!.status).toBe('IN_PROGRESS');
    expect(await step()).toBe('ended');
    expect(happened).toEqual(['key destroyed', 'scrub, name "", IN_PROGRESS', 'scrub, name "", IN_PROGRESS']);
    const { name, erasure, active } = await recordOf(customer);
    expect([name, active, erasure]).toEqual([
      '',
      false,
      { status: 'COMPLETED', requestedAt: erasure!.requestedAt, completedAt: expect.any(String) },
    ]);
    for (const collection of ['apiKeys', 'sandboxes', 'sandboxVersions', 'sandboxSlugs', 'sandboxCounts']) {
      expect([collection, await given.documents.list(customer.id, collection)]).toEqual([collection, []]);
      expect((await given.documents.list(other.id, collection)).length).toBeGreaterThan(0);
    }
    expect(await openErasures(given.documents)).toEqual([]);
    await expect(
      harness.dependencies.keyring.seal(customer.id, 'detail', 'x', Buffer.alloc(1)),
    ).rejects.toThrow(KeyDestroyed);
    expect(await request()).toEqual(await recordOf(customer));
    expect([await step(), await openErasures(given.documents)]).toEqual(['ended', []]);
  });

  test('removes the claims of platform signals, and keeps other customers’ claims', async () => {
    const claims = signalClaims(harness.state.expiring);
    const signal = { provider: 'p', model: 'm', riskLevel: 'HIGH', violations: ['EMAIL'], reasoning: 'Why.' };
    const send = async ({ id: customerId }: TestCustomer) => {
      const payload = { customerId, sandboxSlug: 'support', ...signal };
      const request = { method: 'POST', url: '/internal/signal', headers: internalHeaders, payload } as const;
      return { customerId, auditId: (await harness.call(request)).body.auditId as string };
    };
    const isKept = async (audit: { customerId: string; auditId: string }) => [
      (await claims.get(audit)) !== null,
      await claims.isAppended(audit),
      (await harness.state.admission.pendingMark(audit.customerId, audit.auditId)) !== null,
    ];
    const sent = [await send(customer), await send(other)];
    const all = [true, true, true];
    expect(await Promise.all(sent.map(isKept))).toEqual([all, all]);
    await toRemoval(0);
    await afterRemoval();
    await step();
    harness.skew += 10_001;
    expect(await step()).toBe('ended');
    expect(await Promise.all(sent.map(isKept))).toEqual([[false, false, false], all]);
  });

  test('completes with a warning if the state’s files cannot be rewritten', async () => {
    const warnings: string[] = [];
    given = {
      ...given,
      logger: {
        ...given.logger,
        warn: (_details: unknown, text: string) => void warnings.push(text),
      } as never,
    };
    await toRemoval(0);
    await afterRemoval();
    await step();
    harness.skew += 10_001;
    scrubs = [false];
    expect(await step()).toBe('ended');
    expect(warnings).toEqual(['state files not rewritten after customer erasure']);
    expect((await recordOf(customer)).erasure!.status).toBe('COMPLETED');
  });

  test('leaves the work list if refused before it started, unless requested again', async () => {
    const list = () =>
      given.documents.write(SYSTEM_SCOPE, [
        {
          collection: 'openErasures',
          id: customer.id,
          value: { at: new Date(given.now()).toISOString() },
        },
      ]);
    await list();
    expect([await step(), await openErasures(given.documents)]).toEqual(['ended', [customer.id]]);
    clockMs += 900_000;
    await list();
    expect([await step(), await openErasures(given.documents)]).toEqual(['ended', [customer.id]]);
    clockMs += 899_999;
    expect([await step(), await openErasures(given.documents)]).toEqual(['ended', [customer.id]]);
    clockMs += 1;
    expect([await step(), await openErasures(given.documents)]).toEqual(['ended', []]);
    expect(await recordOf(customer)).toMatchObject({ active: true });
    await request();
    clockMs += 900_000;
    expect([await step(), await openErasures(given.documents)]).toEqual(['waits', [customer.id]]);
  });

  test('works the same with several processes', async () => {
    await request();
    folded.set('ERASURE:erasure-1:closing', 4_999);
    const all = () => Promise.all(Array.from({ length: 5 }, () => step()));
    await all();
    expect((await all()).filter((outcome) => outcome === 'done')).toHaveLength(1);
    await harness.settled();
    expect(new Set((await namedRanges()).map((ranges) => JSON.stringify(ranges)))).toEqual(
      new Set(['[]', '[[0,4999]]']),
    );
    folded.set('ERASURE:erasure-1:0-4999', 5_000);
    await all();
    await afterRemoval();
    await all();
    harness.skew += 10_001;
    await all();
    expect((await recordOf(customer)).erasure!.status).toBe('COMPLETED');
  });
});
