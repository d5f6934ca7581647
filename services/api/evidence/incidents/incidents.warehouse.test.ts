import { BUDGET_TEXTS, RECORD_BUDGETS } from '#core/plans/plans.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { State } from '#platform/state/port.ts';
import { NO_USAGE, RECORD_USAGE } from '#records/changes/record-usage.ts';
import { INCIDENTS } from '#records/incidents/incident-record.ts';
import { LEDGER } from '#schemas/topics.ts';
import {
  type Answered,
  type Harness,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '../../testing/harness.ts';
import { type RealWarehouse, startRealWarehouse } from '../../testing/real-warehouse.ts';
import { sinkOf } from '../../testing/sink-of.ts';

/** Incidents over HTTP, on stored signals. */

let real: RealWarehouse;
let harness: Harness;
let sink: ReturnType<typeof sinkOf>;
let customer: TestCustomer;
/** Awaited after each read of an incident. */
let reads: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  real = await startRealWarehouse();
  const wrapState = (state: State): State => ({
    ...state,
    documents: {
      ...state.documents,
      get: async (ref) => {
        const found = await state.documents.get(ref);
        if (ref.collection === INCIDENTS) await reads();
        return found as never;
      },
    },
  });
  harness = await startHarness({ warehouse: real.warehouse, wrapState });
  sink = sinkOf(harness, real, 1);
}, 60_000);
afterAll(async () => {
  await harness.close();
  await real.close();
});
beforeEach(async () => {
  customer = await newCustomer();
});

/** Blocks callers until this many have arrived; then stays open. */
function barrier(count: number): () => Promise<void> {
  let open: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let missing = count;
  return () => {
    missing -= 1;
    if (missing === 0) open();
    return opened;
  };
}

const newCustomer = async (plan: 'DEV' | 'PRO' = 'PRO'): Promise<TestCustomer> => {
  const made = await harness.customer(plan);
  const payload = { name: 'S', slug: 'here', sandboxType: 'PII_DETECTION', regulations: ['HIPAA', 'GDPR'] };
  await harness.call({ method: 'POST', url: '/sandboxes', headers: made.headers, payload });
  return made;
};

type Method = 'GET' | 'POST' | 'PATCH';
const send = (
  method: Method,
  path: string,
  payload?: object,
  extra: Record<string, string> = {},
  owner = customer,
): Promise<Answered> =>
  harness.call({
    method,
    url: `/evidence/incidents${path}`,
    headers: { ...owner.headers, ...extra },
    ...(payload === undefined ? {} : { payload }),
  });
const outcome = ({ status, body }: Answered) => [status, body.code];

/** Id of a stored signal. */
async function newSignal(riskLevel = 'HIGH', owner = customer): Promise<string> {
  const payload = {
    customerId: owner.id,
    sandboxSlug: 'here',
    provider: 'openai',
    model: 'gpt-5',
    riskLevel,
    violations: ['EMAIL', 'SSN'],
    reasoning: 'Found something.',
  };
  const made = await harness.call({
    method: 'POST',
    url: '/internal/signal',
    headers: internalHeaders,
    payload,
  });
  await fold();
  return made.body.auditId as string;
}
async function fold(): Promise<void> {
  await harness.settled();
  await sink.fold(LEDGER.name);
}
const newIncident = async (signalId?: string): Promise<string> =>
  (await send('POST', '', { signalId: signalId ?? (await newSignal()) })).body.data.id as string;
const move = (
  id: string,
  status: string,
  userId: string,
  { role = 'DPO', headers = {}, ...texts }: Record<string, unknown> = {},
): Promise<Answered> =>
  send(
    'PATCH',
    `/${id}/status`,
    { status, userId, userRole: role, ...texts },
    headers as Record<string, string>,
  );

describe('POST /evidence/incidents', () => {
  test('opens an incident on a signal, with the deadlines of its sandbox', async () => {
    const signalId = await newSignal();
    const texts = { title: 'Zoë’s address', description: 'in an answer', dueAt: '2026-12-24' };
    const made = await send('POST', '', { signalId, ...texts });
    const { data, success } = made.body;
    expect([made.status, success]).toEqual([201, true]);
    expect(data).toMatchObject({
      ...{ customerId: customer.id, signalId, auditId: signalId, status: 'OPEN', severity: 'HIGH' },
      ...{ violations: ['EMAIL', 'SSN'], title: 'Zoë’s address', description: 'in an answer', version: 1 },
      ...{ investigatorId: null, resolverId: null, verifierId: null, closerId: null, resolution: null },
      dueAt: '2026-12-24T23:59:59.999Z',
      notifyBy: new Date(Date.parse(data.createdAt) + 72 * 3_600_000).toISOString(),
      createdByKeyId: expect.any(String),
      moves: [
        { to: 'INVESTIGATING', blockedUserIds: [] },
        { to: 'DISMISSED', blockedUserIds: [] },
      ],
      history: [{ from: null, to: 'OPEN', at: data.createdAt, userId: null, comment: null, leafIndex: null }],
    });
    await fold();
    const { history, ...rest } = (await send('GET', `/${data.id}`)).body.data;
    expect(rest).toEqual({ ...data, history: undefined });
    expect(history).toMatchObject([{ leafIndex: expect.any(Number), assertedByKeyId: data.createdByKeyId }]);
  });

  test('without texts takes its title from the signal, and is due by the deadline', async () => {
    const { data } = (await send('POST', '', { signalId: await newSignal('LOW') })).body;
    expect([data.title, data.dueAt]).toEqual(['LOW signal: EMAIL, SSN', data.notifyBy]);
  });

  test('answers with the signal’s unended incident', async () => {
    const signalId = await newSignal();
    const [first, again] = [
      await send('POST', '', { signalId }),
      await send('POST', '', { signalId, title: 'x' }),
    ];
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    await move(first.body.data.id, 'DISMISSED', 'ann');
    const next = await send('POST', '', { signalId });
    expect([next.status, next.body.data.id === first.body.data.id]).toEqual([201, false]);
    expect(outcome(await move(first.body.data.id, 'INVESTIGATING', 'ann'))).toEqual([409, 'INCIDENT_OPEN']);
  });

  test('opens one incident under an Idempotency-Key', async () => {
    const [signalId, key] = [await newSignal(), { 'idempotency-key': 'one' }];
    const first = await send('POST', '', { signalId }, key);
    const again = await send('POST', '', { signalId }, key);
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([
      201,
      'true',
      first.body,
    ]);
  });

  test('accepts values within the limits, and nothing else', async () => {
    const signalId = await newSignal();
    const cases: [string, object, number][] = [
      ['no signal', { signalId: undefined }, 400],
      ['a number as signal', { signalId: 7 }, 400],
      ['an empty signal', { signalId: '' }, 400],
      ['a blank title', { title: '  ' }, 400],
      ['a long title', { title: 'x'.repeat(201) }, 400],
      ['a long description', { description: 'x'.repeat(4_001) }, 400],
      ['no date', { dueAt: 'soon' }, 400],
      ['an invalid day', { dueAt: '2026-02-30' }, 400],
      ['an unknown signal', { signalId: '01993d5a-7c00-7000-8000-000000000001' }, 404],
      ['an invalid id', { signalId: "' OR 1=1" }, 404],
      ['the longest texts', { title: 'x'.repeat(200), description: 'x'.repeat(4_000) }, 201],
    ];
    for (const [name, body, status] of cases) {
      const answer = await send('POST', '', { signalId, ...body });
      expect([name, answer.status]).toEqual([name, status]);
    }
    for (const claim of [{ status: 'CLOSED' }, { version: 9 }, { customerId: 'x' }, { severity: 'LOW' }])
      expect((await send('POST', '', { signalId, ...claim })).body.code).toBe('INVALID_REQUEST');
    const { data } = (await send('POST', '', { signalId: await newSignal() })).body;
    expect(data).toMatchObject({ status: 'OPEN', version: 1, customerId: customer.id, severity: 'HIGH' });
  });

  test('treats another customer’s signal as unknown', async () => {
    const other = await newCustomer();
    const signalId = await newSignal('HIGH', other);
    expect(outcome(await send('POST', '', { signalId }))).toEqual([404, 'NOT_FOUND']);
    const { id } = (await send('POST', '', { signalId }, {}, other)).body.data;
    expect(outcome(await send('GET', `/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await move(id, 'NOWHERE', 'ann'))).toEqual([400, 'INVALID_REQUEST']);
    expect(outcome(await move(id, 'CLOSED', 'ann'))).toEqual([404, 'NOT_FOUND']);
    expect((await send('GET', '')).body).toMatchObject({ data: [], pagination: { total: 0 } });
    expect((await send('GET', `?signalId=${signalId}`)).body.data).toEqual([]);
  });

  test('is refused beyond the plan’s number or storage', async () => {
    customer = await newCustomer('DEV');
    const use = async (used: object) => {
      const value = { ...NO_USAGE, ...used };
      await harness.state.documents.write(customer.id, [
        { collection: RECORD_USAGE, id: customer.id, value },
      ]);
    };
    const { incidentsEver, storedBytes } = RECORD_BUDGETS.DEV;
    const [first, second] = [await newSignal(), await newSignal()];
    await use({ incidents: incidentsEver - 1 });
    const id = await newIncident(first);
    const refused = await send('POST', '', { signalId: second });
    expect(outcome(refused)).toEqual([403, 'INCIDENT_LIMIT_REACHED']);
    expect(refused.body.message).toBe(BUDGET_TEXTS.incidentsEver('DEV', incidentsEver));
    await use({ bytes: storedBytes });
    expect(outcome(await send('POST', '', { signalId: second }))).toEqual([403, 'STORAGE_LIMIT_REACHED']);
    expect(outcome(await move(id, 'INVESTIGATING', 'ann', { comment: 'x' }))).toEqual([
      403,
      'STORAGE_LIMIT_REACHED',
    ]);
    expect((await move(id, 'INVESTIGATING', 'ann')).status).toBe(200);
  });
});

describe('PATCH /evidence/incidents/:id/status', () => {
  test('accepts the example of the specification', async () => {
    const answer = await move(await newIncident(), 'INVESTIGATING', 'user-1', { role: 'COMPLIANCE_OFFICER' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ status: 'INVESTIGATING', investigatorId: 'user-1', version: 2 });
  });

  test('reports the first fault in the order body, incident, status, role, segregation, version', async () => {
    const id = await newIncident();
    await move(id, 'INVESTIGATING', 'ann');
    await move(id, 'RESOLVED', 'ann', { resolution: 'taken out' });
    const stale = { 'if-match': '"1"' };
    const unknown = '01993d5a-7c00-7000-8000-000000000001';
    expect(outcome(await move(unknown, 'CLOSED', 'ann', { role: 'BOSS' }))).toEqual([400, 'INVALID_REQUEST']);
    expect(outcome(await move(unknown, 'OPEN', 'ann', { role: 'ANALYST' }))).toEqual([404, 'NOT_FOUND']);
    const status = await move(id, 'CLOSED', 'ann', { role: 'ANALYST', headers: stale });
    expect(outcome(status)).toEqual([400, 'INVALID_STATUS_TRANSITION']);
    expect(status.body.details).toEqual({ allowed: ['VERIFIED', 'INVESTIGATING'] });
    expect(outcome(await move(id, 'VERIFIED', 'ann', { role: 'ANALYST', headers: stale }))).toEqual([
      403,
      'ROLE_NOT_ALLOWED',
    ]);
    expect(outcome(await move(id, 'VERIFIED', ' \u0410NN', { headers: stale }))).toEqual([
      403,
      'SEGREGATION_OF_DUTIES',
    ]);
    expect(outcome(await move(id, 'VERIFIED', 'ben', { headers: stale }))).toEqual([409, 'VERSION_CONFLICT']);
    expect((await move(id, 'VERIFIED', 'ben', { headers: { 'if-match': '"3"' } })).status).toBe(200);
  });

  test('accepts If-Match with the version, quoted or bare, or any', async () => {
    const id = await newIncident();
    const cases: [string, number][] = [
      ['3', 409],
      ['"3"', 409],
      ['W/"1"', 400],
      ['"1", "2"', 400],
      ['one', 400],
      ['"1"', 200],
      ['2', 200],
      ['*', 200],
    ];
    let version = 1;
    for (const [header, status] of cases) {
      const to = ['INVESTIGATING', 'RESOLVED', 'INVESTIGATING'][version - 1]!;
      const answer = await move(id, to, 'ann', { headers: { 'if-match': header } });
      expect([header, answer.status]).toEqual([header, status]);
      if (status === 200) version += 1;
    }
  });

  test('lets one of two verifiers win, and answers 409 to the other', async () => {
    const id = await newIncident();
    await move(id, 'INVESTIGATING', 'ann');
    await move(id, 'RESOLVED', 'ann');
    // Neither writes before both have read.
    reads = barrier(2);
    const answers = await Promise.all([move(id, 'VERIFIED', 'ben'), move(id, 'VERIFIED', 'cleo')]);
    expect(answers.map(outcome).sort()).toEqual([
      [200, undefined],
      [409, 'VERSION_CONFLICT'],
    ]);
  });

  test('accepts values within the limits, and nothing else', async () => {
    const id = await newIncident();
    const cases: [string, object, number][] = [
      ['a blank user', { userId: ' ' }, 400],
      ['a long user', { userId: 'x'.repeat(129) }, 400],
      ['a user with an invisible character', { userId: 'ann\u200b' }, 400],
      ['an unknown status', { status: 'NOWHERE' }, 400],
      ['an unknown role', { userRole: 'BOSS' }, 400],
      ['no role', { userRole: undefined }, 400],
      ['an empty comment', { comment: '' }, 400],
      ['a long comment', { comment: 'x'.repeat(4_001) }, 400],
      ['an empty resolution', { resolution: '' }, 400],
      ['the longest comment', { comment: 'x'.repeat(4_000), userId: 'x'.repeat(128) }, 200],
    ];
    const given = { status: 'INVESTIGATING', userId: 'ann', userRole: 'ANALYST' };
    for (const [name, body, status] of cases) {
      const answer = await send('PATCH', `/${id}/status`, { ...given, ...body });
      expect([name, answer.status]).toEqual([name, status]);
    }
    for (const claim of [{ closerId: 'x' }, { version: 9 }])
      expect((await move(id, 'REMEDIATING', 'ann', claim)).body.code).toBe('INVALID_REQUEST');
    const { data } = (await move(id, 'REMEDIATING', 'ann', { resolution: 'too early' })).body;
    expect(data).toMatchObject({ closerId: null, resolution: null, version: 3 });
  });

  test('accepts malformed Unicode without harm', async () => {
    const id = await newIncident();
    const answer = await harness.call({
      method: 'PATCH',
      url: `/evidence/incidents/${id}/status`,
      headers: { ...customer.headers, 'content-type': 'application/json' },
      payload: '{"status":"INVESTIGATING","userId":"a\\ud800","userRole":"DPO","comment":"\\udc00 x"}',
    });
    expect([200, 400]).toContain(answer.status);
  });

  test('moves once under an Idempotency-Key, and repeats the first answer', async () => {
    const [id, headers] = [await newIncident(), { 'idempotency-key': 'move' }];
    const first = await move(id, 'INVESTIGATING', 'ann', { headers });
    await move(id, 'RESOLVED', 'ben');
    const again = await move(id, 'INVESTIGATING', 'ann', { headers });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await send('GET', `/${id}`)).body.data.version).toBe(3);
  });

  test('records every move in the chain, which the history names', async () => {
    const id = await newIncident();
    await move(id, 'INVESTIGATING', 'Ann', { comment: 'looking' });
    await move(id, 'DISMISSED', 'ben', { role: 'ADMIN' });
    await fold();
    const { history } = (await send('GET', `/${id}`)).body.data;
    expect(history).toMatchObject([
      { from: null, to: 'OPEN', userId: null, userRole: null },
      { from: 'OPEN', to: 'INVESTIGATING', userId: 'Ann', userRole: 'DPO', comment: 'looking' },
      { from: 'INVESTIGATING', to: 'DISMISSED', userId: 'ben', userRole: 'ADMIN', comment: null },
    ]);
    const [opened, ...later] = history.map(({ leafIndex }: { leafIndex: number }) => leafIndex);
    expect(later).toEqual([opened + 1, opened + 2]);
  });
});

describe('GET /evidence/incidents', () => {
  test('shows pages, newest first, by filters that combine', async () => {
    const ids: string[] = [];
    const signals: string[] = [];
    for (const level of ['LOW', 'HIGH', 'HIGH', 'CRITICAL']) {
      signals.push(await newSignal(level));
      ids.unshift(await newIncident(signals.at(-1)));
    }
    await move(ids[1]!, 'INVESTIGATING', 'ann');
    const list = async (query: string): Promise<string[]> =>
      (await send('GET', query)).body.data.map(({ id }: { id: string }) => id);
    expect(await list('')).toEqual(ids);
    expect(await list('?severity=HIGH')).toEqual([ids[1], ids[2]]);
    expect(await list('?severity=HIGH&status=OPEN')).toEqual([ids[2]]);
    expect(await list('?status=INVESTIGATING')).toEqual([ids[1]]);
    expect(await list(`?signalId=${signals[0]}`)).toEqual([ids[3]]);
    expect(await list('?signalId=nobody')).toEqual([]);
    const page = (await send('GET', '?limit=3')).body;
    expect(page).toMatchObject({ success: true, pagination: { page: 1, limit: 3, total: 4, pages: 2 } });
    expect(page.data[0].history).toBeUndefined();
    expect(page.data[1].moves[0]).toEqual({
      to: 'REMEDIATING',
      roles: ['ANALYST', 'SECURITY_OFFICER', 'COMPLIANCE_OFFICER', 'DPO', 'ADMIN'],
      blockedUserIds: [],
    });
    expect(page.data[1].moves[2]).toMatchObject({ to: 'DISMISSED', blockedUserIds: ['ann'] });
    expect(await list(`?limit=3&cursor=${page.pagination.nextCursor}`)).toEqual([ids[3]]);
    for (const query of ['?status=NOWHERE', '?severity=BAD', '?limit=0', '?cursor=x'])
      expect((await send('GET', query)).status).toBe(400);
  });
});
