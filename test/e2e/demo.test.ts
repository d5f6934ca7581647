import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '#jest';
import { runCas } from '../helpers/cas-process.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/** The tour's output for a service with wrong answers. */

type Body = Record<string, unknown>;
/** Wrong answers, by path. */
const WRONG: Readonly<Record<string, (body: Body) => Body>> = {
  '/guardian/scan': (body) => ({ ...body, cleanPrompt: 'Please answer jane.roe@example.org' }),
  '/dashboard/books': (body) => ({ ...body, accepted: Number(body.accepted) - 1 }),
  '/evidence/hash-chain/verify': (body) => {
    const data = body.data as Body;
    return { ...body, data: { ...data, checkedEntries: Number(data.checkedEntries) - 1 } };
  },
};

const dataDir = temporaryDataDir();
let service: TestService;
let proxy: Server;
let port: number;
beforeAll(async () => {
  service = await startService(dataDir);
  proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { connection: _, host: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(service.url + request.url, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const wrong = WRONG[request.url!];
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(wrong === undefined ? bytes : JSON.stringify(wrong(JSON.parse(bytes.toString()))));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  port = (proxy.address() as AddressInfo).port;
}, 120_000);
afterAll(async () => {
  proxy?.closeAllConnections();
  proxy?.close();
  await service?.killTree();
  removeDataDir(dataDir);
});

test('the tour names each figure that does not add up, and exits with code 1', async () => {
  const { code, output } = await runCas(['demo', 'tour'], { DATA_DIR: dataDir, PORT: String(port) });
  const refused = output.split('\n').filter((line) => line.startsWith('  NO '));
  expect(refused).toEqual([
    expect.stringContaining('the text to send instead'),
    expect.stringContaining('reconciliation: 266 accepted'),
    expect.stringContaining('hash chain VALID: 276 of 277'),
  ]);
  expect(output).toContain('Something did not add up');
  expect(code).toBe(1);
}, 240_000);

test('the demo names each figure that does not add up', async () => {
  const { code, output } = await runCas(['demo'], { DATA_DIR: dataDir, PORT: String(port) });
  const refused = output.split('\n').filter((line) => /^( {2}NO |cas: )/.test(line));
  expect(refused).toEqual([
    expect.stringContaining('reconciliation: '),
    expect.stringMatching(/the hash chain is valid: \d+ of \d+/),
  ]);
  expect(output).toContain('Something did not add up');
  expect(code).toBe(1);
}, 240_000);
