import { afterEach, beforeEach, expect, jest, test } from '#jest';
import { documentSeals, sealedState } from '#platform/sealing/document-seals.ts';
import type { Documents, State } from '#platform/state/port.ts';
import { type MemoryLog, memoryLog } from '#platform/stream/testing/memory-log.ts';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import type { FoldedVersion } from '#platform/warehouse/queries/document-versions.ts';
import { PARTITIONS } from '#schemas/topics.ts';
import { acceptContradictions, type LedgerWatch, watchLedger } from './ledger-watch.ts';
import { refuseOlderState } from './older-state.ts';

/** Fake time advances while a comparison reads, collection by collection. */
const MAX_TURNS = 2_000;
/** Longer than all tests except the one about it. */
const FIRST_MS = 600_000;

let connections: number;
let folded: FoldedVersion[];
let contradictions: number;
let comparisons: number;
let logged: string[];
let watch: LedgerWatch;
let dependencies: {
  state: Pick<State, 'documents' | 'connections'>;
  warehouse: Warehouse;
  log: MemoryLog;
};

const putSandbox = (documents: Documents, version: number) =>
  documents.write('alice', [{ collection: 'sandboxes', id: 's1', value: { version } }]);

beforeEach(async () => {
  jest.useFakeTimers();
  [connections, folded, contradictions, comparisons, logged] = [0, [], 0, 0, []];
  const { documents } = memoryState();
  await run(putSandbox(documents, 1));
  dependencies = {
    state: { documents, connections: () => connections },
    warehouse: {
      query: async (sql: string) => (sql.includes('FROM positions') ? [] : [{ found: contradictions }]),
      async *stream(_sql: string, { kind, entryId }: { kind: string; entryId: string }) {
        comparisons += 1;
        if (kind === 'POLICY_EVENT' && entryId.startsWith('^sandbox:')) yield folded;
      },
    } as unknown as Warehouse,
    log: memoryLog({ partitions: PARTITIONS }),
  };
  const note = (_details: object, message: string): void => void logged.push(message);
  watch = watchLedger({ ...dependencies, firstMs: FIRST_MS, logger: { error: note, warn: note } as never });
});
afterEach(async () => {
  watch.stop();
  jest.useRealTimers();
});

/** The in-memory state takes turns of the event loop, during which fake time advances. */
async function run<Value>(work: Promise<Value>): Promise<Value> {
  let settled = false;
  const end = (): void => {
    settled = true;
  };
  work.then(end, end);
  while (!settled) await jest.advanceTimersByTimeAsync(1);
  return work;
}
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test('compares only when the state may be another server, and is red while that one is older', async () => {
  folded = [{ customerId: 'alice', document: 's1', version: 2 }];
  await pass(10_000);
  expect([comparisons, await run(watch.check())]).toEqual([0, { ok: true }]);
  connections += 1;
  await pass(2_000);
  const red = { ok: false, message: expect.stringContaining('the state is older than the ledger') };
  expect(await run(watch.check())).toEqual(red);
  expect(logged).toEqual(['state older than ledger; requests refused']);
  await pass(65_000);
  expect(await run(watch.check())).toEqual(red);
  expect(logged).toHaveLength(1);
  await run(putSandbox(dependencies.state.documents, 2));
  await pass(31_000);
  expect(await run(watch.check())).toEqual({ ok: true });
  const before = comparisons;
  await pass(65_000);
  expect(comparisons).toBe(before);
});

test('compares entries folded after the start, first soon after it and then at an interval', async () => {
  await pass(FIRST_MS - 5_000);
  expect(comparisons).toBe(0);
  await pass(10_000);
  expect(comparisons).toBeGreaterThan(0);
  folded = [{ customerId: 'alice', document: 's1', version: 2 }];
  await pass(3_500_000);
  expect(await run(watch.check())).toEqual({ ok: true });
  await pass(200_000);
  expect(await run(watch.check())).toMatchObject({ ok: false });
});

test('repeats a failed comparison after a pause that doubles up to half a minute', async () => {
  const stream = dependencies.warehouse.stream;
  let asked = 0;
  dependencies.warehouse.stream = () => {
    asked += 1;
    throw new Error('the warehouse is away');
  };
  connections += 1;
  await pass(300);
  expect([asked, logged]).toEqual([1, ['failed to compare state with ledger; retrying']]);
  await pass(1_600);
  expect(asked).toBe(3);
  await pass(60_000);
  const before = asked;
  await pass(60_000);
  expect([asked - before, logged.length]).toEqual([2, asked]);
  dependencies.warehouse.stream = stream;
  folded = [{ customerId: 'alice', document: 's1', version: 2 }];
  await pass(31_000);
  expect(await run(watch.check())).toMatchObject({ ok: false });
});

const UNCOMPARED = {
  ok: false,
  message: 'the state was reconnected and cannot be compared with the ledger yet; see the log',
};

test.each([
  ['refuses', () => Promise.reject(new Error('the warehouse is away'))],
  ['does not answer', () => new Promise<never>(() => undefined)],
])('is only red without the warehouse if the state was reconnected: the warehouse %s', async (_how, down) => {
  Object.assign(dependencies.warehouse, {
    query: down,
    stream: () => ({ [Symbol.asyncIterator]: () => ({ next: down }) }),
  });
  let answered: unknown = 'no answer';
  void watch.check().then(
    (check) => {
      answered = check;
    },
    () => undefined,
  );
  await pass(3_000);
  // Readiness treats this as a check that cannot answer: degraded.
  expect(answered).toBe('no answer');
  connections += 1;
  await pass(2_000);
  expect(await run(watch.check())).toEqual(UNCOMPARED);
});

test('is no longer red once the warehouse is back and the state has been compared', async () => {
  const { query, stream } = dependencies.warehouse;
  const down = () => Promise.reject(new Error('the warehouse is away'));
  Object.assign(dependencies.warehouse, {
    query: down,
    stream: () => ({ [Symbol.asyncIterator]: () => ({ next: down }) }),
  });
  connections += 1;
  await pass(2_000);
  expect(await run(watch.check())).toEqual(UNCOMPARED);
  expect(watch.standing()).toBe('UNCOMPARED');
  Object.assign(dependencies.warehouse, { query, stream });
  // Requests are refused for about twice as long as the warehouse was away.
  await pass(4_000);
  expect(watch.standing()).toBe('CURRENT');
  expect(await run(watch.check())).toEqual({ ok: true });
});

test('stopping aborts the comparison in progress, and its result is not reported', async () => {
  const { stream } = dependencies.warehouse;
  let answer: () => void = () => undefined;
  let left = false;
  dependencies.warehouse.stream = async function* <Row>() {
    try {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      yield [{ customerId: 'alice', document: 's1', version: 2 }] as Row[];
    } finally {
      left = true;
    }
  } as typeof stream;
  connections += 1;
  await pass(2_000);
  let stopped = false;
  void Promise.resolve(watch.stop()).then(() => {
    stopped = true;
  });
  await pass(10);
  expect(stopped).toBe(true);
  answer();
  await pass(60_000);
  expect([left, logged]).toEqual([true, []]);
});

test('contradictions are only a note in readiness until an operator accepts them', async () => {
  contradictions = 2;
  expect(await run(watch.check())).toEqual({
    ok: true,
    message: expect.stringContaining('2 records repeat an entry'),
  });
  await run(acceptContradictions(dependencies));
  expect(await run(watch.check())).toEqual({ ok: true });
  contradictions = 3;
  expect(await run(watch.check())).toEqual({
    ok: true,
    message: expect.stringContaining('1 record repeats an entry'),
  });
});

test('a refused start names at most ten older documents, and what to do', async () => {
  folded = Array.from({ length: 5_000 }, (_, n) => ({ customerId: 'bob', document: `d${n}`, version: 7 }));
  const refused = refuseOlderState(dependencies).catch((error: Error) => error.message);
  const message = String(await run(refused));
  expect(message).toContain('sandbox d0 of customer bob (ledger 7, state 0)');
  expect(message).toContain('and more');
  expect(message).toContain('cas migrate --accept-older-state');
  expect(message.match(/customer bob/g)).toHaveLength(10);
});

test('a changed document turns readiness red, naming document and customer, until it is restored', async () => {
  watch.stop();
  const seals = documentSeals(Buffer.alloc(32, 1));
  const note = (_details: object, message: string): void => void logged.push(message);
  const { documents: unsealed } = dependencies.state;
  const { documents } = sealedState(dependencies.state as State, seals);
  const at = { collection: 'customers', id: 'alice' };
  await run(documents.write('system', [{ collection: 'customerIndex', id: 'alice', value: {} }]));
  await run(documents.write('alice', [{ collection: 'sandboxes', id: 's1', value: { version: 1 } }]));
  await run(documents.write('alice', [{ ...at, value: { plan: 'FREE' } }]));
  watch = watchLedger({
    ...dependencies,
    seals,
    firstMs: FIRST_MS,
    logger: { error: note, warn: note } as never,
  });
  await pass(FIRST_MS + 5_000);
  expect(await run(watch.check())).toEqual({ ok: true });
  await run(unsealed.write('alice', [{ ...at, value: { plan: 'ENTERPRISE' } }]));
  connections += 1;
  for (let turns = 0; logged.length === 0 && turns < MAX_TURNS; turns += 1) await pass(100);
  expect(await run(watch.check())).toEqual({
    ok: false,
    message:
      'state documents were changed: document of customers of customer alice (has no seal); stop all services and see the log',
  });
  expect(logged).toEqual(['state documents changed outside the service']);
  await run(documents.write('alice', [{ ...at, value: { plan: 'FREE' } }]));
  let check = await run(watch.check());
  for (let turns = 0; !check.ok && turns < MAX_TURNS; turns += 1) {
    await pass(1_000);
    check = await run(watch.check());
  }
  expect(check).toEqual({ ok: true });
});
