import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { afterEach, beforeEach, expect, test } from '#jest';
import { readSettings } from '#platform/config/settings.ts';
import { createProgram } from '../program.ts';

const API_KEY = `cas_${'a'.repeat(48)}`;
const VKEY = verifierKey({ name: 'ledger.example', publicKey: Buffer.alloc(32, 1) });

let server: Server;
let heard: unknown[];
beforeEach(async () => {
  heard = [];
  server = createServer((request, response) => {
    heard.push([request.url, request.headers['x-service-key']]);
    response.writeHead(409, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 'LEDGER_ROLLED_BACK', message: 'The ledger was rolled back' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

const watch = (name: string, key: string): Promise<unknown> => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const program = createProgram(() => readSettings({ CAS_API_KEY: API_KEY }));
  return program.parseAsync([name, 'unused.note', '--key', key, '--once', '--url', url], { from: 'user' });
};

test.each(['watch', 'witness'])(
  'cas %s authenticates with the API key from the settings, not with the verifier key',
  async (name) => {
    await expect(watch(name, VKEY)).rejects.toThrow('The ledger was rolled back (409 LEDGER_ROLLED_BACK)');
    expect(heard).toEqual([['/evidence/hash-chain/checkpoint', API_KEY]]);
  },
);

test('an invalid verifier key is wrong usage, not a fault of the ledger', async () => {
  await expect(watch('watch', 'none')).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/Invalid --key "none"/),
  });
  expect(heard).toEqual([]);
});
