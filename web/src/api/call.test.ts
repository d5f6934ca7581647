import { describe, expect, test } from '#jest';
import {
  auditPackageDownload,
  auditSignals,
  createSandbox,
  createSession,
  deleteSandbox,
  listAudits,
  updateSandbox,
} from '#schemas/endpoints.ts';
import { addressOf, createApi } from './call.ts';
import { Fault } from './fault.ts';

interface Seen {
  readonly url: string;
  readonly init: RequestInit;
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(status === 204 ? null : JSON.stringify(body), { status, headers });

function setUp(...answers: (Response | Error)[]) {
  const [seen, waits]: [Seen[], number[]] = [[], []];
  let signedOut = 0;
  const api = createApi({
    fetch: async (url, init) => {
      seen.push({ url: String(url), init: init ?? {} });
      const answer = answers.shift()!;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    wait: async (ms) => void waits.push(ms),
    onSignedOut: () => {
      signedOut += 1;
    },
  });
  return { api, seen, waits, signedOut: () => signedOut };
}

const faultOf = async (call: Promise<unknown>): Promise<Fault> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Fault);
  return error as Fault;
};

describe('a call', () => {
  test('takes method and path from the contract', async () => {
    const { api, seen } = setUp(json(200, {}));
    await api.call(updateSandbox, { params: { id: 'a/b' }, body: { name: 'n' } });
    expect(seen[0]).toMatchObject({ url: '/sandboxes/a%2Fb', init: { method: 'PATCH' } });
  });

  test('has an address that the browser can load directly', () => {
    expect(addressOf(listAudits, { query: { status: 'FAILED', to: undefined } })).toBe(
      '/audits?status=FAILED',
    );
  });

  test('sends the token with changes, and reads without it', async () => {
    const { api, seen } = setUp(json(200, {}), json(201, {}), json(204, null));
    api.setCsrfToken('t');
    await api.call(listAudits);
    await api.call(createSandbox, { body: { name: 'n' }, idempotencyKey: 'k' });
    expect(await api.call(deleteSandbox, { params: { id: 's' } })).toBeUndefined();
    const [read, made, gone] = seen.map(({ init }) => init.headers as Record<string, string>);
    expect(read).not.toHaveProperty('x-csrf-token');
    expect(made).toMatchObject({ 'x-csrf-token': 't', 'idempotency-key': 'k' });
    expect(gone).toMatchObject({ 'x-csrf-token': 't' });
    expect(seen[1]!.init.body).toBe('{"name":"n"}');
  });

  test('sends the version that a change is based on', async () => {
    const { api, seen } = setUp(json(200, {}), json(200, {}));
    await api.call(updateSandbox, { params: { id: 's' }, body: {}, ifMatch: 7 });
    await api.call(updateSandbox, { params: { id: 's' }, body: {} });
    expect(seen[0]!.init.headers).toMatchObject({ 'if-match': '"7"' });
    expect(seen[1]!.init.headers).not.toHaveProperty('if-match');
  });

  test("passes on the service's error", async () => {
    const said = { code: 'NOT_FOUND', message: 'no', requestId: 'r', details: [{ path: 'x', message: 'y' }] };
    const { api } = setUp(json(404, said));
    expect(await faultOf(api.call(listAudits))).toMatchObject({ status: 404, ...said });
  });

  test('says so when something other than the service answers, or nothing', async () => {
    const { api } = setUp(
      new Response('<html>', { status: 502 }),
      new TypeError('failed'),
      new Response('<html>'),
    );
    expect(await faultOf(api.call(listAudits))).toMatchObject({
      status: 502,
      code: 'UNKNOWN',
      requestId: null,
    });
    expect(await faultOf(api.call(listAudits))).toMatchObject({ status: 0, code: 'NO_ANSWER' });
    expect(await faultOf(api.call(listAudits))).toMatchObject({ status: 0, code: 'NO_ANSWER' });
  });

  test('waits as long as a rate limit asks, within bounds, and finally gives up', async () => {
    const early = (seconds: string): Response =>
      json(429, { code: 'RATE_LIMITED' }, { 'retry-after': seconds });
    const first = setUp(early('2'), json(200, { fine: true }));
    expect(await first.api.call(listAudits)).toEqual({ fine: true });
    expect(first.waits).toEqual([2_000]);
    const second = setUp(early('1'), early('99'), early('soon'), early('1'));
    expect(await faultOf(second.api.call(listAudits))).toMatchObject({ status: 429 });
    expect(second.waits).toEqual([1_000, 10_000, 1_000]);
  });

  test('asks for a session when there is none, but not after a wrong password', async () => {
    const { api, signedOut } = setUp(json(401, {}), json(401, {}));
    await faultOf(api.call(createSession));
    expect(signedOut()).toBe(0);
    await faultOf(api.call(listAudits));
    expect(signedOut()).toBe(1);
  });

  test("sends an auditor's token instead of the cookie, names the customer, and reports a refusal", async () => {
    const { api, seen, signedOut } = setUp(json(200, {}), new Response('zip'), json(401, {}));
    api.setCsrfToken('t');
    let refused = 0;
    const auditor = api.asAuditor({ token: 'aud_1', customerId: 'c' }, () => {
      refused += 1;
    });
    await auditor.call(auditSignals, { query: { limit: 1 } });
    expect(await (await auditor.download(auditPackageDownload, { params: { id: 'p' } })).text()).toBe('zip');
    expect(seen.map(({ url }) => url)).toEqual([
      '/auditor/signals?limit=1&customerId=c',
      '/auditor/packages/p/download?customerId=c',
    ]);
    for (const { init } of seen)
      expect(init).toMatchObject({ credentials: 'omit', headers: { authorization: 'Bearer aud_1' } });
    await faultOf(auditor.call(auditSignals));
    expect([refused, signedOut()]).toEqual([1, 0]);
  });

  test('does not report a fault when it is aborted', async () => {
    const stopped = AbortSignal.abort();
    const { api } = setUp(new Error('stopped'));
    await expect(api.call(listAudits, { signal: stopped })).rejects.toThrow('stopped');
  });
});
