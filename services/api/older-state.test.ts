import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '#jest';
import type { StateStatus } from '#records/comparison/ledger-watch.ts';
import { ALWAYS_SERVED } from '#schemas/api/contract.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { type Harness, internalHeaders, startHarness } from './testing/harness.ts';

let harness: Harness;
let state: StateStatus;
let found: () => void;

beforeEach(async () => {
  state = 'CURRENT';
  const ledger = {
    standing: () => state,
    onOlder: (listener: () => void) => {
      found = listener;
    },
  };
  harness = await startHarness({ dependencies: { ledger } });
});
afterEach(() => harness.close());

test('a state older than the ledger refuses every operation except probes, for every caller', async () => {
  const { headers } = await harness.customer();
  expect((await harness.call({ url: '/sandboxes', headers })).status).toBe(200);
  state = 'OLDER';
  for (const { method, path } of ROUTES) {
    const url = path.replace(/:[a-zA-Z]+/g, '0190a5c8-3f6b-7c44-9a5b-3c1f6c6f0a11');
    for (const asked of [headers, internalHeaders, {}]) {
      const answer = await harness.app.inject({ method, url, headers: asked });
      if (ALWAYS_SERVED.includes(path)) expect([path, answer.statusCode]).toEqual([path, 200]);
      else
        expect([path, answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
          path,
          503,
          'STATE_OLDER',
          '30',
        ]);
    }
  }
  state = 'CURRENT';
  expect((await harness.call({ url: '/sandboxes', headers })).status).toBe(200);
});

test('a state that is not compared yet asks clients to retry', async () => {
  const { headers } = await harness.customer();
  state = 'UNCOMPARED';
  const { status, body, headers: answered } = await harness.call({ url: '/sandboxes', headers });
  expect([status, body.code, answered['retry-after']]).toEqual([503, 'UNAVAILABLE', '1']);
});

test('a stream ends when the state is found to be older', async () => {
  const { headers } = await harness.customer();
  await harness.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = harness.app.server.address() as AddressInfo;
  const stream = await fetch(`http://127.0.0.1:${port}/dashboard/stream`, { headers });
  expect(stream.status).toBe(200);
  const reader = stream.body!.getReader();
  expect((await reader.read()).done).toBe(false);
  state = 'OLDER';
  found();
  const toEnd = async (): Promise<void> => {
    while (!(await reader.read()).done);
  };
  await expect(toEnd()).rejects.toThrow('terminated');
});
