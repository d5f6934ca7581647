import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { type State, StateUnavailable } from '#platform/state/port.ts';
import { SANDBOX_VERSIONS, type SandboxRecord } from '#records/documents/sandbox-record.ts';
import { LEDGER } from '#schemas/topics.ts';
import { type Answered, type Harness, startHarness, type TestCustomer } from '../testing/harness.ts';

/** Makes the next calls of the state with these names fail, once each; with `after` the call takes effect first. */
const failing = new Map<string, 'instead' | 'after'>();
const wrapState = (state: State): State => ({
  ...state,
  documents: new Proxy(state.documents, {
    get: (target, name) => {
      const member = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        const how = failing.get(String(name));
        failing.delete(String(name));
        const result = how === 'instead' ? undefined : await member.apply(target, args);
        if (how === undefined) return result;
        throw new StateUnavailable('the state does not answer');
      };
    },
  }),
});

let harness: Harness;
let customer: TestCustomer;
beforeAll(async () => {
  harness = await startHarness({ wrapState });
});
afterAll(() => harness.close());
beforeEach(async () => {
  failing.clear();
  customer = await harness.customer();
});

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
const send = (
  method: Method,
  path: string,
  payload?: object,
  { key, owner = customer }: { key?: string; owner?: TestCustomer } = {},
): Promise<Answered> =>
  harness.call({
    method,
    url: `/sandboxes${path}`,
    headers: { ...owner.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(payload === undefined ? {} : { payload }),
  });
const make = (slug: string, extra: object = {}, options = {}) =>
  send('POST', '', { name: 'Support', slug, sandboxType: 'CUSTOM', ...extra }, options);
const ingest = async (sandboxSlug: string): Promise<[number, string | undefined]> => {
  const payload = { sandboxSlug, provider: 'o', model: 'm', prompt: 'p', response: '' };
  const answer = await harness.call({
    method: 'POST',
    url: '/audit/ingest',
    headers: customer.headers,
    payload,
  });
  return [answer.status, answer.body.code];
};
const versionsOf = async (id: string): Promise<SandboxRecord[]> =>
  (await harness.state.documents.list<SandboxRecord>(customer.id, SANDBOX_VERSIONS))
    .map(({ value }) => value)
    .filter((version) => version.id === id)
    .sort((a, b) => a.version - b.version);
/** First occurrences only, like the fold: concurrent flushes append an entry several times. */
const policyEvents = async (): Promise<Record<string, unknown>[]> => {
  await harness.settled();
  const entries = harness.log
    .of(LEDGER.name)
    .filter(({ key }) => key === customer.id)
    .map(({ value }) => harness.dependencies.codec.decodeLedgerEntry(value))
    .filter(({ kind }) => kind === 'POLICY_EVENT');
  const byId = new Map([...entries].reverse().map((entry) => [entry.id, entry]));
  return [...new Set(entries.map(({ id }) => id))].map((id) => JSON.parse(byId.get(id)!.core));
};

describe('PATCH', () => {
  test('changes the fields that are sent, by id and by slug in either spelling, and makes a new version each time', async () => {
    const made = await make('help-desk', { regulations: ['GDPR'], customRules: ['secret project'] });
    const changed = await send('PATCH', `/${made.body.id}`, {
      alertThreshold: 'LOW',
      regulations: ['PCI-DSS', 'CPRA', 'ISO_27001', 'PCI_DSS'],
    });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({
      ...made.body.data,
      version: 2,
      alertThreshold: 'LOW',
      regulations: ['PCI_DSS', 'CCPA', 'ISO27001'],
      updatedAt: changed.body.updatedAt,
    });
    const bySlug = await send('PATCH', '/help_desk', { name: 'Help', active: false, slug: 'help_desk' });
    expect(bySlug.body).toMatchObject({ version: 3, name: 'Help', slug: 'help-desk', active: false });
    expect((await send('GET', '/help-desk')).body).toEqual(bySlug.body);

    const versions = await versionsOf(made.body.id);
    expect(versions.map(({ version, alertThreshold, active }) => [version, alertThreshold, active])).toEqual([
      [1, 'HIGH', true],
      [2, 'LOW', true],
      [3, 'LOW', false],
    ]);
    const events = await policyEvents();
    expect(events.map((event) => [event.version, event.alertThreshold, event.active])).toEqual([
      [1, 'HIGH', true],
      [2, 'LOW', true],
      [3, 'LOW', false],
    ]);
    expect(events[0]).not.toHaveProperty('changeId');
  });

  test('without a difference makes no version', async () => {
    const made = await make('same');
    for (const payload of [{}, { name: 'Support', regulations: [] }, { name: null, region: null }]) {
      expect((await send('PATCH', '/same', payload)).body).toEqual(made.body);
    }
    expect(await versionsOf(made.body.id)).toHaveLength(1);
  });

  test.each([
    ['another slug', { slug: 'other' }, 'SLUG_IMMUTABLE'],
    ['an invalid slug', { slug: 'Not-A-Slug' }, 'INVALID_REQUEST'],
    ['an unknown type', { sandboxType: 'NONE' }, 'INVALID_REQUEST'],
    ['a name of another type', { name: 7 }, 'INVALID_REQUEST'],
    ['an unknown regulation', { regulations: ['gdpr'] }, 'INVALID_REQUEST'],
    ['a blank rule', { customRules: [' '] }, 'INVALID_REQUEST'],
    ['51 rules', { customRules: Array.from({ length: 51 }, () => 'x') }, 'INVALID_REQUEST'],
  ])('with %s is refused and changes nothing', async (_name, payload, code) => {
    const made = await make('refused');
    const answer = await send('PATCH', '/refused', { region: 'EU', ...payload });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect((await send('GET', '/refused')).body).toEqual(made.body);
  });

  test('leaves its key free if refused', async () => {
    await make('key');
    expect((await send('PATCH', '/key', { slug: 'other' }, { key: 'k' })).status).toBe(400);
    expect((await send('PATCH', '/key', { region: 'EU' }, { key: 'k' })).body.version).toBe(2);
  });

  test('of a foreign or unknown sandbox is 404', async () => {
    const made = await make('mine');
    const other = await harness.customer();
    for (const method of ['GET', 'PATCH', 'PUT', 'DELETE'] as const) {
      const payload =
        method === 'PATCH' || method === 'PUT' ? { name: 'X', sandboxType: 'CUSTOM' } : undefined;
      for (const name of [made.body.id, 'mine', 'x'.repeat(65), 'x\u001fy', '%00']) {
        const answer = await send(method, `/${encodeURIComponent(name)}`, payload, { owner: other });
        expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
      }
    }
    expect((await send('GET', '/mine')).body).toEqual(made.body);
  });

  test('applies all concurrent changes, one version each', async () => {
    const made = await make('race');
    const changes = [
      { name: 'A' },
      { alertThreshold: 'LOW' },
      { guardianAction: 'ALLOW_ALL' },
      { region: 'EU' },
      { active: false },
      { redactionStrategy: 'HASHED' },
      { customRules: ['a b'] },
      { regulations: ['GDPR'] },
    ];
    const answers = await Promise.all(changes.map((change) => send('PATCH', '/race', change)));
    expect(answers.map(({ body }) => body.version).sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    const read = await send('GET', '/race');
    expect(read.body).toMatchObject(Object.assign({ version: 9, id: made.body.id }, ...changes));
    expect((await policyEvents()).map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('takes effect on the next ingest', async () => {
    await make('on-off');
    expect(await ingest('on_off')).toEqual([202, undefined]);
    await send('PATCH', '/on-off', { active: false });
    expect(await ingest('on-off')).toEqual([400, 'SANDBOX_INACTIVE']);
    await send('PATCH', '/on-off', { active: true });
    expect(await ingest('on-off')).toEqual([202, undefined]);
  });
});

describe('an Idempotency-Key', () => {
  test('makes one version of a change, however often it is sent', async () => {
    const made = await make('keyed');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send('PATCH', '/keyed', { region: 'EU' }, { key: 'one' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const again = await send('PATCH', '/keyed', { region: 'EU' }, { key: '"one"' });
    expect([again.status, again.body.version, again.headers['idempotent-replayed']]).toEqual([
      200,
      2,
      'true',
    ]);
    expect((await send('PATCH', '/keyed', { region: 'US' }, { key: 'one' })).status).toBe(422);
    expect(await versionsOf(made.body.id)).toHaveLength(2);
  });

  test('continues at once on a repeat after the state failed midway, without undoing a later change', async () => {
    const made = await make('later');
    failing.set('write', 'after');
    expect((await send('PATCH', '/later', { region: 'EU' }, { key: 'lost' })).status).toBe(503);
    expect((await send('PATCH', '/later', { region: 'US' })).body.version).toBe(3);
    const again = await send('PATCH', '/later', { region: 'EU' }, { key: 'lost' });
    expect([again.status, again.body.version, again.body.region]).toEqual([200, 2, 'EU']);
    expect((await send('GET', '/later')).body).toMatchObject({ version: 3, region: 'US' });
    expect(await versionsOf(made.body.id)).toHaveLength(3);
  });

  test.each(['instead', 'after'] as const)(
    'completes a creation that failed with 503 (%s of its write) on a repeat, once, without waiting',
    async (how) => {
      failing.set('write', how);
      expect((await make('again', {}, { key: 'again' })).status).toBe(503);
      const made = await make('again', {}, { key: 'again' });
      expect([made.status, made.headers['idempotent-replayed']]).toEqual([201, undefined]);
      const replayed = await make('again', {}, { key: 'again' });
      expect([replayed.status, replayed.headers['idempotent-replayed']]).toEqual([201, 'true']);
      expect(replayed.body).toEqual(made.body);
      expect((await send('GET', '')).body.data).toEqual([made.body.data]);
    },
  );
});

test('a creation whose answer was lost is answered with the original record, whatever changed since', async () => {
  // The first write creates the customer's encryption key.
  await make('warm-up');
  failing.set('write', 'after');
  expect((await make('lost', {}, { key: 'made' })).status).toBe(503);
  expect((await send('PATCH', '/lost', { region: 'EU' })).body.version).toBe(2);
  const again = await make('lost', {}, { key: 'made' });
  expect([again.status, again.body.version, again.body.region]).toEqual([201, 1, 'GLOBAL']);
  expect((await send('GET', '/lost')).body.version).toBe(2);
});

describe('PUT', () => {
  test('sets omitted fields to their defaults', async () => {
    const settings = {
      regulations: ['GDPR'],
      alertThreshold: 'LOW',
      guardianAction: 'ALLOW_ALL',
      customRules: ['a rule'],
      region: 'EU',
      active: false,
      redactionStrategy: 'PARTIAL',
    };
    const made = await make('put', settings);
    const answer = await send('PUT', '/put', { name: 'New', sandboxType: 'FULL_SPECTRUM', slug: 'put' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      id: made.body.id,
      version: 2,
      name: 'New',
      slug: 'put',
      sandboxType: 'FULL_SPECTRUM',
      regulations: [],
      alertThreshold: 'HIGH',
      guardianAction: 'REDACT_AND_CONTINUE',
      customRules: [],
      region: 'GLOBAL',
      active: true,
      redactionStrategy: 'FULL',
      allowedValues: [],
      allowedCidrs: [],
      allowedPatterns: [],
      detectorsOff: [],
      minConfidence: {},
      createdAt: made.body.createdAt,
      updatedAt: answer.body.updatedAt,
    });
    const again = await send('PUT', '/put', { name: 'New', sandboxType: 'FULL_SPECTRUM' });
    expect(again.body).toEqual(answer.body);
  });

  test.each([
    ['without a name', { sandboxType: 'CUSTOM' }, 400, 'INVALID_REQUEST'],
    ['without a type', { name: 'N' }, 400, 'INVALID_REQUEST'],
    ['with another slug', { name: 'N', sandboxType: 'CUSTOM', slug: 'other' }, 400, 'SLUG_IMMUTABLE'],
  ])('%s is refused', async (_name, payload, status, code) => {
    await make('put-refused');
    const answer = await send('PUT', '/put-refused', payload);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('creates nothing', async () => {
    const answer = await send('PUT', '/nowhere', { name: 'N', sandboxType: 'CUSTOM' });
    expect(answer.status).toBe(404);
    expect((await send('GET', '')).body.data).toEqual([]);
  });
});

describe('DELETE', () => {
  test('hides the sandbox except from requests for deleted ones, and prevents further changes', async () => {
    const kept = await make('kept');
    const made = await make('gone');
    const deleted = await send('DELETE', '/gone');
    expect(deleted.status).toBe(200);
    expect(deleted.body.data).toEqual({
      ...made.body.data,
      version: 2,
      updatedAt: deleted.body.deletedAt,
      deletedAt: deleted.body.deletedAt,
    });
    expect(await ingest('gone')).toEqual([400, 'SANDBOX_NOT_FOUND']);
    for (const name of ['gone', made.body.id]) {
      expect((await send('GET', `/${name}`)).status).toBe(404);
      expect((await send('DELETE', `/${name}`)).status).toBe(404);
      expect((await send('PATCH', `/${name}`, { name: 'N' })).status).toBe(404);
      expect((await send('PUT', `/${name}`, { name: 'N', sandboxType: 'CUSTOM' })).status).toBe(404);
      expect((await send('GET', `/${name}?includeDeleted=true`)).body).toEqual(deleted.body);
    }
    expect((await send('GET', '')).body.data).toEqual([kept.body.data]);
    expect((await send('GET', '?includeDeleted=false')).body.data).toEqual([kept.body.data]);
    expect((await send('GET', '?includeDeleted=true')).body.data).toEqual([
      deleted.body.data,
      kept.body.data,
    ]);
    expect((await send('GET', '?includeDeleted=1')).status).toBe(400);
    const last = (await policyEvents()).at(-1);
    expect(last).toMatchObject({ sandboxId: made.body.id, version: 2, deletedAt: deleted.body.deletedAt });
  });

  test('keeps the slug and frees the place in the quota', async () => {
    const dev = await harness.customer('DEV');
    expect((await make('first', {}, { owner: dev })).status).toBe(201);
    expect((await make('second', {}, { owner: dev })).status).toBe(403);
    expect((await send('DELETE', '/first', undefined, { owner: dev })).status).toBe(200);
    expect((await make('first', {}, { owner: dev })).body).toMatchObject({
      code: 'SANDBOX_EXISTS',
      message: 'A deleted sandbox reserves this slug. Choose another.',
    });
    expect((await make('second', {}, { owner: dev })).status).toBe(201);
    expect((await make('third', {}, { owner: dev })).status).toBe(403);
  });

  test('deletes once for concurrent requests, and frees one place', async () => {
    const owner = await harness.customer('PRO', { sandboxQuota: 2 });
    await make('one', {}, { owner });
    await make('two', {}, { owner });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send('DELETE', '/one', undefined, { owner })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    const made = await Promise.all(['a', 'b', 'c'].map((slug) => make(`new-${slug}`, {}, { owner })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
  });

  test('during a change leaves the sandbox deleted', async () => {
    await make('both');
    await Promise.all([
      ...['US', 'EU', 'UK'].map((region) => send('PATCH', '/both', { region })),
      send('DELETE', '/both'),
    ]);
    expect((await send('GET', '/both')).status).toBe(404);
    expect(await ingest('both')).toEqual([400, 'SANDBOX_NOT_FOUND']);
  });
});
