import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { KEKS } from '#platform/sealing/customer-keys.ts';
import { describeStateContract } from '#platform/state/contract.ts';
import { API_KEYS, type State, SYSTEM_SCOPE } from '#platform/state/port.ts';
import {
  CUSTOMER,
  customer,
  KEY_HASH,
  KEY_ID,
  NOON,
  reserveRequest,
  seedCustomer,
} from '#platform/state/testing/contract-seed.ts';
import { PATIENT_MS, type RedisBench, redisBench } from '#platform/state/testing/redis-server.ts';
import { replicatedRedis } from '#platform/state/testing/replicated-redis.ts';
import type { LocalServer } from '../deploy/local/server/local-server.ts';
import { describeOn } from '../test/helpers/real-servers.ts';
import { acceptOlderState } from './comparison/older-documents.ts';
import { stateEpoch } from './epoch/epoch.ts';
import { STATE_RIGHTS, STATE_ROLES, type StateRole, stateUserCommands, stateUserOf } from './state-rights.ts';

/** The users of the roles on a real Redis: everything that each role needs works, and nothing else does. */

const AT = new Date(NOON).toISOString();
const PASSWORD = 'shown-by-every-role-of-this-test';

/** Sends the output of `cas config --redis-acl`, as an operator would. */
async function makeUsers(operator: Redis, database = 0): Promise<void> {
  for (const role of STATE_ROLES)
    await operator.call('ACL', 'SETUSER', stateUserOf(role), 'on', `>${PASSWORD}`);
  for (const command of stateUserCommands(database)) {
    const [name = '', ...words] = command.split(' ');
    await operator.call(name, ...words);
  }
}

const stateAs = (bench: RedisBench, address: string, role: StateRole): Promise<State> => {
  const url = new URL(address);
  return bench.state(`redis://${url.host}${url.pathname}`, {
    username: stateUserOf(role),
    password: PASSWORD,
    rights: STATE_RIGHTS[role],
    now: () => NOON,
  });
};

const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'it was answered',
    (error: Error) => error.message,
  );

describeOn('redis', 'the users of the roles', () => {
  let bench: RedisBench;
  let server: LocalServer;
  let operator: Redis;
  beforeAll(async () => {
    bench = redisBench();
    server = await bench.server();
    operator = bench.client(server.address);
    await makeUsers(operator);
  });
  afterAll(() => bench.close());
  afterEach(() => operator.flushall());

  const as = (role: StateRole): Promise<State> => stateAs(bench, server.address, role);
  /** A plain connection with the role's user. */
  const clientAs = (role: StateRole): Redis =>
    bench.client(`redis://${stateUserOf(role)}:${PASSWORD}@${new URL(server.address).host}`);
  const every = (...call: string[]) =>
    Promise.all(STATE_ROLES.map((role) => refusal(clientAs(role).call(call[0]!, ...call.slice(1)))));

  describeStateContract('redis, as the user of the API', async () => {
    let at = NOON;
    const { host } = new URL(server.address);
    const user = { username: stateUserOf('api'), password: PASSWORD, commandTimeoutMs: PATIENT_MS };
    const open = () => bench.state(`redis://${host}`, { ...user, now: () => at });
    let state = await open();
    return {
      get state() {
        return state;
      },
      now: () => at,
      async advance(ms) {
        at += ms;
      },
      async reopen() {
        await state.close();
        state = await open();
      },
      async dispose() {
        await state.close();
        await operator.flushall();
      },
    };
  });

  describe('everything that a role needs works', () => {
    beforeEach(async () => {
      const state = await as('api');
      await seedCustomer(state);
      const written = { status: 'active', kekId: '1', wrapped: '' };
      await state.documents.write(CUSTOMER, [
        { collection: KEKS, id: 'current', value: written },
        { collection: 'sandboxVersions', id: 's:1', value: { customRules: [], updatedAt: AT } },
        { collection: 'customerErasures', id: CUSTOMER, value: { phase: 'REMOVING' } },
      ]);
      await state.documents.write(SYSTEM_SCOPE, [
        { collection: 'meta', id: 'logEpoch', value: { epoch: 1, setUp: 'a' } },
        { collection: 'openErasures', id: CUSTOMER, value: {} },
      ]);
    });

    test('for an analyzer: reading what it judges by and recording its position', async () => {
      const state = await as('analyzer');
      for (const [collection, id] of [
        [KEKS, 'current'],
        ['sandboxVersions', 's:1'],
      ] as const)
        expect(await state.documents.get({ scope: CUSTOMER, collection, id })).not.toBeNull();
      expect(await stateEpoch(state)).toEqual({ epoch: 1, setUp: 'a' });
      for (const note of ['stopped', 'deaths', 'left']) {
        const key = `${note}:analyzer:audit.triplets:0`;
        await state.expiring.set(key, 'noted', 1_000);
        expect(await state.expiring.get(key)).toBe('noted');
        await state.expiring.delete(key);
      }
      await state.ping();
    });

    test('for a sink: removing marks, taking leases and continuing erasures', async () => {
      const api = await as('api');
      await api.admission.reserve(reserveRequest(['a-1']));
      const state = await as('sink');
      await state.admission.removePendingMarks([{ customerId: CUSTOMER, auditId: 'a-1' }]);
      expect(await api.admission.pendingMark(CUSTOMER, 'a-1')).toBeNull();
      expect(await state.expiring.setIfAbsent('lease:sink-jobs', 'taken', 1_000)).toBe(true);
      expect(await state.documents.ids(SYSTEM_SCOPE, 'openErasures')).toEqual([CUSTOMER]);
      const progress = { collection: 'customerErasures', id: CUSTOMER, expectedVersion: 1 };
      const write = { ...progress, value: { phase: 'DESTROYING' } };
      expect(await state.documents.write(CUSTOMER, [write])).toEqual({ ok: true, versions: [2] });
    });

    test('for migrate: recording an epoch and raising documents that an old backup restored', async () => {
      const api = await as('api');
      const restored = {
        id: 's',
        version: 1,
        slug: 'support-bot',
        name: '',
        customRules: [],
        updatedAt: AT,
        deletedAt: AT,
      };
      await api.documents.write(CUSTOMER, [
        { collection: 'customerErasures', id: CUSTOMER, value: null },
        { collection: 'sandboxes', id: 's', value: restored },
      ]);
      const state = await as('migrate');
      const epoch = { collection: 'meta', id: 'logEpoch', value: { epoch: 2, setUp: 'b' } };
      expect((await state.documents.write(SYSTEM_SCOPE, [epoch])).ok).toBe(true);
      const entry = { topic: 'audit.ledger', key: CUSTOMER, valueBase64: '', headers: {} };
      const of = { customerId: CUSTOMER, version: 3 };
      const found: Readonly<Record<string, readonly string[]>> = {
        'API key': [KEY_ID, 'lost'],
        erasure: ['closing'],
      };
      const counts = await acceptOlderState({
        documents: state.documents,
        makeEntry: async ({ id }: { id: string }) => ({ ...entry, entryId: id }),
        announce: () => undefined,
        now: () => NOON,
        newId: () => 'new',
        async *unfolded() {},
        async *folded({ name }: { name: string }) {
          if (name === 'sandbox') yield [{ ...of, document: 's' }];
          yield (found[name] ?? []).map((document) => ({ ...of, document }));
        },
      } as unknown as Parameters<typeof acceptOlderState>[0]);
      expect(counts).toEqual({ lifted: 3, givenUp: 1 });
      const key = await api.documents.get({ scope: CUSTOMER, collection: API_KEYS, id: KEY_ID });
      expect(key?.value).toMatchObject({ status: 'revoked' });
      expect(await api.documents.withPending(10)).toHaveLength(3);
    });
  });

  describe('anything that a role does not need is refused', () => {
    const REFUSED = [
      ['FLUSHALL'],
      ['FLUSHDB'],
      ['KEYS', '*'],
      ['CONFIG', 'GET', 'requirepass'],
      ['CONFIG', 'SET', 'appendonly', 'no'],
      ['ACL', 'LIST'],
      ['ACL', 'SETUSER', 'another', 'on'],
      ['SWAPDB', '0', '1'],
      ['SHUTDOWN', 'NOSAVE'],
      ['REPLICAOF', '127.0.0.1', '1'],
      ['SCRIPT', 'FLUSH'],
      ['FUNCTION', 'FLUSH'],
      ['MONITOR'],
      ['CLIENT', 'LIST'],
      ['SUBSCRIBE', 'anything'],
      ['MIGRATE', '127.0.0.1', '1', 'cas:worklist', '0', '10'],
      ['RESTORE', 'cas:worklist', '0', ''],
      ['RENAME', 'cas:worklist', 'cas:other'],
      ['SELECT', '1'],
      ['GET', 'other:key'],
      ['EVAL', "return redis.call('GET', ARGV[1])", '0', 'other:key'],
      ['EVAL', "return redis.call('FLUSHALL')", '0'],
    ];
    test.each(REFUSED.map((call) => [call.join(' '), call] as const))(
      'for every role: %s',
      async (_, call) => {
        for (const answer of await every(...call))
          expect(answer).toMatch(/NOPERM|The user executing the script/);
      },
    );

    const document = (collection: string, id = 'x', scope = 'c'): string =>
      `cas:doc:{${scope}}:${collection}:${id}`;
    const RECORDS = ['apiKeys', 'customers', 'sandboxes', 'keks', 'sandboxSlugs', 'recordUsage'];
    const HIDDEN = [
      'cas:claim:x',
      'cas:bucket:{c}',
      'cas:counts:{c}',
      'cas:attempts:{c}:x',
      document('signingKeys', 'x', 'system'),
    ];
    const cannot = async (role: StateRole, ...call: string[]): Promise<void> => {
      const client = clientAs(role);
      const answer = await refusal(client.call(call[0]!, ...call.slice(1)));
      expect([role, ...call, answer]).toEqual([role, ...call, expect.stringContaining('NOPERM')]);
    };

    test('for an analyzer: writing any record, reading who the customers are', async () => {
      for (const collection of RECORDS) await cannot('analyzer', 'DEL', document(collection));
      for (const collection of RECORDS.filter((one) => one !== 'keks'))
        await cannot('analyzer', 'HMGET', document(collection), 'json');
      for (const key of HIDDEN) await cannot('analyzer', 'EXISTS', key);
      for (const key of [
        'mark:{c}:a',
        'expiring:stopped%003asink%003ax',
        'expiring:lease%003asink-jobs',
        'worklist',
      ])
        await cannot('analyzer', 'SET', `cas:${key}`, '');
    });

    test('for a sink: changing or ending a key, a customer or a sandbox, and adding entries', async () => {
      for (const collection of RECORDS) await cannot('sink', 'DEL', document(collection));
      for (const key of [...HIDDEN, 'cas:worklist', 'cas:outbox:{c}:customerErasures:c'])
        await cannot('sink', 'GET', key);
      for (const key of ['expiring:stopped%003aanalyzer%003ax', 'expiring:deaths%003aanalyzer%003ax'])
        await cannot('sink', 'SET', `cas:${key}`, '');
    });

    test('for migrate, which may seal every document: claims, counts, marks and expiring values', async () => {
      const isDocument = (key: string): boolean => key === document('signingKeys', 'x', 'system');
      for (const key of [...HIDDEN.filter((one) => !isDocument(one)), 'cas:mark:{c}:a', 'cas:expiring:x'])
        await cannot('migrate', 'EXISTS', key);
    });

    test('for all but the API: listing the names of all keys', async () => {
      for (const role of ['analyzer', 'sink', 'migrate'] as const) await cannot(role, 'SCAN', '0');
    });
  });

  test('a name cannot be chosen to refer to another collection', async () => {
    const api = await as('api');
    const id = 'x}:keks:current';
    await api.documents.write('c', [{ collection: 'sandboxSlugs', id, value: customer() }]);
    const analyzer = await as('analyzer');
    const asked = analyzer.documents.get({ scope: 'c', collection: 'sandboxSlugs', id });
    expect(await refusal(asked)).toContain('NOPERM');
  });

  test('a user without a right is refused at the start, naming the right and the command that prints them all', async () => {
    const { host } = new URL(server.address);
    await operator.call('ACL', 'SETUSER', stateUserOf('sink'), '-wait', '-smembers');
    expect(await refusal(as('sink'))).toBe(
      `cannot use Redis at ${host}: its user "cas_sink" lacks rights: WAIT, SMEMBERS; "cas config --redis-acl" prints the rights of each role`,
    );
    await operator.call('ACL', 'SETUSER', stateUserOf('sink'), 'resetkeys', '-@all', '+info');
    expect(await refusal(as('sink'))).toContain('"cas_sink" lacks rights: EVAL_RO');
    await makeUsers(operator);
    await (await as('sink')).ping();
    // A role with another role's user.
    const other = bench.state(`redis://${host}`, {
      username: stateUserOf('analyzer'),
      password: PASSWORD,
      rights: STATE_RIGHTS.sink,
    });
    expect(await refusal(other)).toMatch(
      /"cas_analyzer" lacks rights: HGET, HSET, .* and \d+ more; "cas config --redis-acl"/,
    );
  });

  test('the next ping names a revoked right, and calls succeed again when it is restored', async () => {
    const state = await as('sink');
    await operator.call('ACL', 'SETUSER', stateUserOf('sink'), '-hset');
    const write = { collection: 'customerErasures', id: 'c', value: 1 };
    expect(await refusal(state.documents.write('c', [write]))).toContain('"cas config --redis-acl" prints');
    expect(await refusal(state.ping())).toContain('its user "cas_sink" lacks rights: HSET');
    expect(await refusal(state.expiring.get('lease:sink-jobs'))).toContain('lacks rights: HSET');
    await makeUsers(operator);
    await state.ping();
    expect((await state.documents.write('c', [write])).ok).toBe(true);
  });

  test('in another database the users have access to it, and the state is in it', async () => {
    await makeUsers(operator, 3);
    const state = await stateAs(bench, `${server.address}/3`, 'analyzer');
    await state.expiring.set('left:analyzer:x', '1', 60_000);
    expect(await bench.client(`${server.address}/3`).dbsize()).toBe(1);
    await makeUsers(operator);
    expect(await refusal(stateAs(bench, `${server.address}/3`, 'analyzer'))).toContain(
      'lacks rights: SELECT',
    );
  });

  test('with a replica each role waits for it and clears the flags that it has seen', async () => {
    const own = redisBench();
    try {
      const { primary } = await replicatedRedis(own);
      await makeUsers(own.client(primary));
      const [api, sink, analyzer] = await Promise.all(
        (['api', 'sink', 'analyzer'] as const).map((role) => stateAs(own, primary, role)),
      );
      await api!.documents.write('c', [{ collection: KEKS, id: 'current', value: 1 }]);
      await own.client(primary).set('cas:unconfirmed:{c}', 'somebody');
      expect(await analyzer!.documents.get({ scope: 'c', collection: KEKS, id: 'current' })).not.toBeNull();
      expect(await own.client(primary).exists('cas:unconfirmed:{c}')).toBe(0);
      const write = { collection: 'customerErasures', id: 'c', value: 1 };
      expect((await sink!.documents.write('c', [write])).ok).toBe(true);
    } finally {
      await own.close();
    }
  });

  test('a key is admitted by the API’s user', async () => {
    const state = await as('api');
    await seedCustomer(state);
    expect(await state.admission.authenticate(KEY_HASH)).toMatchObject({
      outcome: 'admitted',
      keyId: KEY_ID,
    });
    expect(await state.scrub(new AbortController().signal)).toBe(true);
  });
});
