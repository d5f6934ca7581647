import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '#jest';
import { eventually } from '../../test/helpers/eventually.ts';
import { createBodyBudget } from './http/bodies/body-budget.ts';
import { type Harness, startHarness, type TestCustomer } from './testing/harness.ts';

/** Limits on request bodies, over real connections. */

const BODY_BYTES = 50 * 1024;
/** Two such bodies for one customer, and the same again for the others. */
const BUDGET_BYTES = 12.5 * BODY_BYTES;
const REQUEST_TIMEOUT_MS = 2_000;

let harness: Harness;
let hostile: TestCustomer;
let good: TestCustomer;
let port: number;
const sockets: Socket[] = [];

const TRIPLET = { sandboxSlug: 'support', provider: 'openai', model: 'gpt-4o', response: '' };
const bodyOf = (bytes: number): string => {
  const empty = JSON.stringify({ ...TRIPLET, prompt: '' }).length;
  return JSON.stringify({ ...TRIPLET, prompt: 'x'.repeat(bytes - empty) });
};
const BODY = bodyOf(BODY_BYTES);

beforeAll(async () => {
  const first = await startHarness();
  const settings = { ...first.dependencies.settings, requestTimeoutMs: REQUEST_TIMEOUT_MS };
  await first.close();
  harness = await startHarness({ dependencies: { settings, bodyBudget: createBodyBudget(BUDGET_BYTES) } });
  [hostile, good] = [await harness.customer(), await harness.customer()];
  for (const { headers } of [hostile, good]) {
    const payload = { name: 'Support', slug: 'support', sandboxType: 'FULL_SPECTRUM' };
    await harness.call({ method: 'POST', url: '/sandboxes', headers, payload });
  }
  await harness.app.listen({ host: '127.0.0.1', port: 0 });
  port = (harness.app.server.address() as AddressInfo).port;
});
afterAll(() => harness.close());
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await released();
});

const heldBytes = (): number => harness.dependencies.bodyBudget.heldBytes();

/** Waits for something the server does asynchronously. */
const soon = (what: string, isSo: () => boolean): Promise<true> =>
  eventually(what, 20_000, async () => isSo() || undefined);
const holds = (bytes: number): Promise<true> => soon(`${bytes} bytes are held`, () => heldBytes() === bytes);
const released = (): Promise<true> => holds(0);

const head = (customer: TestCustomer, length: string): string =>
  `POST /audit/ingest HTTP/1.1\r\nhost: x\r\nx-service-key: ${customer.key}\r\n` +
  `content-type: application/json\r\n${length}\r\n\r\n`;

function open(options: { allowHalfOpen?: boolean } = {}): Socket {
  const socket = connect({ port, host: '127.0.0.1', ...options });
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

/** Starts sending a body of BODY_BYTES, and stops half-way. */
function begin(customer: TestCustomer): Socket {
  const socket = open();
  socket.write(head(customer, `content-length: ${BODY.length}`) + BODY.slice(0, BODY_BYTES / 2));
  return socket;
}

const statusOf = async (socket: Socket): Promise<string> => {
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString();
};

const ingest = (customer: TestCustomer): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/audit/ingest`, {
    method: 'POST',
    headers: { ...customer.headers, 'content-type': 'application/json' },
    body: BODY,
  });

test('an answer much larger than its body is counted too, and refused without room', async () => {
  const answer = await harness.call({
    method: 'POST',
    url: '/guardian/scan',
    headers: good.headers,
    payload: { sandbox: 'support', userInput: 'a@b.co '.repeat(2_000) },
  });
  expect(answer).toMatchObject({
    status: 503,
    body: { code: 'BODIES_BUSY' },
    headers: { 'retry-after': '1' },
  });
});

describe('bodies in flight', () => {
  test('take no more than their customer’s share, and cause no refusal for others', async () => {
    const connections = Array.from({ length: 40 }, () => begin(hostile));
    const refused: string[] = [];
    for (const socket of connections) void statusOf(socket).then((answer) => refused.push(answer));
    await soon('38 are refused', () => refused.length === 38);
    for (const answer of refused) {
      expect(answer).toContain('HTTP/1.1 503');
      expect(answer.toLowerCase()).toContain('retry-after: 1');
      expect(answer).toContain('"code":"BODIES_BUSY"');
    }
    expect(heldBytes()).toBeLessThanOrEqual(BUDGET_BYTES / 2);
    expect((await ingest(good)).status).toBe(202);
  });

  test('are read in full once admitted, and release their memory after the answer', async () => {
    const socket = begin(hostile);
    const answer = statusOf(socket);
    await holds(3 * BODY_BYTES);
    socket.write(BODY.slice(BODY_BYTES / 2));
    expect(await answer).toContain('HTTP/1.1 202');
    await released();
  });

  test('without a length are counted as they arrive, and refused midway', async () => {
    const held = [begin(hostile), begin(hostile)];
    await holds(2 * 3 * BODY_BYTES);
    const socket = open();
    socket.write(`${head(hostile, 'transfer-encoding: chunked')}8000\r\n${'x'.repeat(0x8000)}\r\n`);
    expect(await statusOf(socket)).toContain('"code":"BODIES_BUSY"');
    for (const each of held) each.destroy();
  });

  test('release their memory when their client disconnects before they arrive', async () => {
    const socket = begin(hostile);
    await holds(3 * BODY_BYTES);
    socket.destroy();
    await released();
  });

  test('of a stalled client release their memory at its timeout, even while connected', async () => {
    const socket = open({ allowHalfOpen: true });
    socket.write(head(hostile, `content-length: ${BODY.length}`));
    expect(await statusOf(socket)).toContain('HTTP/1.1 408');
    await released();
  });

  test('pipelined on a connection release their memory when it closes', async () => {
    const socket = open();
    const one = `${head(hostile, 'content-length: 1000')}${bodyOf(1_000)}`;
    let appends = 0;
    const { append } = harness.log;
    const waiting: (() => void)[] = [];
    harness.log.append = async (records) => {
      appends += 1;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return append(records);
    };
    socket.write(one.repeat(15));
    await soon('the first is at work', () => appends === 1);
    socket.destroy();
    harness.log.append = append;
    // Its work continues and still holds the memory; the other requests never start.
    expect(heldBytes()).toBeGreaterThanOrEqual(3_000);
    for (const go of waiting) go();
    await released();
    expect(appends).toBe(1);
  });
});
