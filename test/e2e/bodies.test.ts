import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { canonicalJson } from '#core/evidence/canonical-json.ts';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { makeCustomer, makeSandbox, type TestCustomer } from '../helpers/customer.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/** Requests as applications and gateways send them, singly and in batches. */

const TRIPLET = { sandboxSlug: 'field', provider: 'openai', model: 'gpt-5', prompt: 'Hello', response: 'Hi' };
const TEXT = JSON.stringify(TRIPLET);
const withMore = (members: string): string => TEXT.replace('}', `,${members}}`);

const dataDir = temporaryDataDir();
let service: TestService;
let customer: TestCustomer;
beforeAll(async () => {
  service = await startService(dataDir);
  customer = await makeCustomer(service, 'Field');
  await makeSandbox(customer.client, 'field');
}, 120_000);
afterAll(async () => {
  await service?.killTree();
  removeDataDir(dataDir);
}, 60_000);

// biome-ignore lint/suspicious/noExplicitAny: answers are compared as they are
type Json = Record<string, any>;

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}
async function post(
  path: string,
  body: string | Buffer,
  more: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const headers = { 'x-service-key': customer.key, 'content-type': 'application/json', ...more };
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answered['body'] };
}
const GZIP = { 'content-encoding': 'gzip' };

/** Responses to one triplet sent alone, and as the second item of both kinds of batch. */
async function bothWays(text: string): Promise<[number, string][]> {
  const single = await post('/audit/ingest', text);
  const list = await post('/audit/ingest/batch', `[${TEXT},${text},${TEXT}]`);
  const lines = await post('/audit/ingest/batch', [TEXT, text.replaceAll('\n', ' '), TEXT].join('\n'), {
    'content-type': 'application/x-ndjson',
  });
  const items = [list, lines].map(({ status, body }): [number, string] => {
    expect(status).toBe(202);
    expect([body.data[0].status, body.data[2].status]).toEqual(['QUEUED', 'QUEUED']);
    const { error } = body.data[1];
    return error === undefined ? [202, ''] : [error.statusCode, error.message];
  });
  return [[single.status, single.status === 202 ? '' : single.body.message], ...items];
}
const TAKEN = [202, ''];

const audit = (auditId: string): Promise<Json> =>
  customer.client.request('GET', `/audits/${auditId}?wait=30`).then(({ body }) => body as Json);
const signal = (auditId: string): Promise<Json> =>
  customer.client.request('GET', `/dashboard/signals/${auditId}`).then(({ body }) => body as Json);

describe('fields in the shapes that clients send', () => {
  test.each([
    ['null of optional fields', { metadata: null }],
    ['null inside metadata', { metadata: { promptTokens: null, thinkingBlock: null, customFields: null } }],
    [
      'token counts in a string and with a fraction',
      { metadata: { promptTokens: '12', outputTokens: 12.5 } },
    ],
    ['a response of null', { response: null }],
    [
      'a response that is a message',
      {
        response: {
          role: 'assistant',
          content: null,
          tool_calls: [{ type: 'function', function: { name: 'find', arguments: '{}' } }],
        },
      },
    ],
    ['messages', { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }],
    ['a provider as it writes itself', { provider: 'Google AI Studio' }],
  ])('accepts %s', async (_, more) => {
    expect(await bothWays(JSON.stringify({ ...TRIPLET, ...more }))).toEqual([TAKEN, TAKEN, TAKEN]);
  });

  test.each([
    ['metadata.promptTokens', { metadata: { promptTokens: 'abc' } }, 'as a number or a string of digits'],
    ['metadata.outputTokens', { metadata: { outputTokens: -1 } }, '0 or more'],
    ['prompt', { prompt: 12 }, 'a list of messages {role, content}; a number was sent'],
    ['response', { response: [1] }, 'a list of something else was sent'],
    ['model', { model: null }, 'required; null was sent'],
  ])('rejects a wrong %s and says what to send', async (field, more, message) => {
    for (const [status, text] of await bothWays(JSON.stringify({ ...TRIPLET, ...more })))
      expect([status, text]).toEqual([
        400,
        expect.stringMatching(new RegExp(`^${field}: .*${message.replace(/[{}]/g, '\\$&')}`)),
      ]);
  });

  test('counts, provider and messages reach the signal, and filters ignore the provider’s case', async () => {
    const sent = {
      ...TRIPLET,
      provider: 'Azure/OpenAI',
      prompt: [
        { role: 'system', content: 'You help customers of a shop.' },
        { role: 'user', content: 'Write to jane.roe@example.org about my order.' },
      ],
      response: null,
      metadata: { promptTokens: '12', outputTokens: 12.5 },
    };
    const { body } = await post('/audit/ingest', JSON.stringify(sent));
    expect(await audit(body.auditId)).toMatchObject({ status: 'COMPLETED', provider: 'azure-openai' });
    expect(await signal(body.auditId)).toMatchObject({
      promptTokens: 12,
      outputTokens: 13,
      violations: ['EMAIL'],
    });
    for (const path of ['/audits', '/dashboard/signals']) {
      const list = await customer.client.request(
        'GET',
        `${path}?provider=${encodeURIComponent('Azure/OpenAI')}`,
      );
      expect((list.body as Json).pagination.total).toBe(1);
    }
  });

  test('a scan renders messages, and its offsets are those of the rendered text', async () => {
    const messages = [{ role: 'user', content: 'Write to jane.roe@example.org.' }];
    const { body } = await post(
      '/guardian/scan',
      JSON.stringify({ sandbox: 'field', userInput: messages, systemPrompt: null }),
    );
    const rendered = '[user]\nWrite to jane.roe@example.org.';
    const [{ start, end }] = body.detectedEntities;
    expect(rendered.slice(start, end)).toBe('jane.roe@example.org');
    expect(body.cleanPrompt).toBe(
      rendered.replace('jane.roe@example.org', body.detectedEntities[0].redactedValue),
    );
  });

  test('roles, tool calls and references are not detected as violations', async () => {
    const messages = [
      { role: 'system', content: 'You help customers of a shop.' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: pictureUri(4_000, 'scan') } },
          { type: 'text', text: 'What is this?' },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ type: 'function', function: { name: 'look_up', arguments: '{"id":7}' } }],
      },
      { role: 'tool', content: 'A chair' },
    ];
    const { body } = await post('/audit/ingest', JSON.stringify({ ...TRIPLET, prompt: messages }));
    await audit(body.auditId);
    expect(await signal(body.auditId)).toMatchObject({ violations: [], riskLevel: 'LOW' });
  });
});

describe('content encodings', () => {
  test('gzip is the same body as uncompressed, alone and in batches', async () => {
    for (const [path, text] of [
      ['/audit/ingest', TEXT],
      ['/audit/ingest/batch', `[${TEXT}]`],
    ] as const) {
      const key = { 'idempotency-key': path };
      const first = await post(path, gzipSync(text), { ...key, ...GZIP });
      expect(first.status).toBe(202);
      const second = await post(path, text, key);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
    }
  });

  test('broken gzip, a decompression bomb, another encoding and UTF-16 are rejected with what to send', async () => {
    for (const path of ['/audit/ingest', '/audit/ingest/batch']) {
      expect(await post(path, Buffer.from(TEXT), GZIP)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('gzip') },
      });
      expect(await post(path, gzipSync(Buffer.alloc(15 << 20, ' ')), GZIP)).toMatchObject({ status: 413 });
      expect(await post(path, TEXT, { 'content-encoding': 'br' })).toMatchObject({
        status: 415,
        body: { message: expect.stringContaining('gzip or identity') },
      });
      expect(await post(path, Buffer.from(TEXT, 'utf16le'))).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('UTF-16') },
      });
    }
  });

  test('identity and a byte-order mark are accepted', async () => {
    expect((await post('/audit/ingest', TEXT, { 'content-encoding': 'identity' })).status).toBe(202);
    expect((await post('/audit/ingest', `\ufeff${TEXT}`)).status).toBe(202);
    expect((await post('/audit/ingest/batch', `\ufeff[${TEXT}]`)).status).toBe(202);
  });
});

describe('bodies that a digest cannot distinguish', () => {
  test.each([
    [
      'an integer above 2^53',
      '"metadata":{"customFields":{"orderId":9007199254740993}}',
      /^metadata\.customFields\.orderId: the number at line 1, column \d+/,
    ],
    ['a number out of range', '"x":[0,1e400]', /^x\.1: the number at/],
    [
      'a key given twice',
      '"metadata":{"promptTokens":1,"promptTokens":2}',
      /^metadata\.promptTokens: duplicate key/,
    ],
    ['a key spelt in two ways', '"x":1,"\\u0078":2', /^x: duplicate key/],
    ['__proto__ twice', '"x":{"__proto__":1,"__proto__":2}', /^x\.__proto__: duplicate key/],
  ])('rejects %s with its position', async (_, members, message) => {
    for (const [status, text] of await bothWays(withMore(members)))
      expect([status, text]).toEqual([400, expect.stringMatching(message)]);
  });

  test('are not replays of one another', async () => {
    const key = { 'idempotency-key': 'exact' };
    expect((await post('/audit/ingest', withMore('"x":9007199254740992'), key)).status).toBe(202);
    expect((await post('/audit/ingest', withMore('"x":9007199254740993'), key)).status).toBe(400);
    expect((await post('/audit/ingest', withMore('"x":9007199254740994'), key)).status).toBe(422);
  });

  test('are rejected by every route with a body', async () => {
    for (const path of ['/guardian/scan', '/sandboxes', '/evidence/policies'])
      expect(await post(path, '{"name":"a","name":"b"}')).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/^name: duplicate key/) },
      });
  });
});

function picture(length: number, seed: string): Buffer {
  const blocks = [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')];
  for (let n = 0; n * 32 < length; n += 1) blocks.push(createHash('sha256').update(`${seed}${n}`).digest());
  return Buffer.concat(blocks).subarray(0, length);
}
function pictureUri(length: number, seed: string): string {
  return `data:image/png;base64,${picture(length, seed).toString('base64')}`;
}

describe('an image of 5 MB in a prompt', () => {
  const uri = pictureUri(5_000_000, 'large');
  const sent = { ...TRIPLET, prompt: `![chart](${uri}) Please write to jane.roe@example.org.` };

  test('is accepted, the text after it is analysed, and the receipt covers the bytes sent', async () => {
    const { status, body } = await post('/audit/ingest', JSON.stringify(sent));
    expect(status).toBe(202);
    const { nonce, payloadDigest } = body.data.receipt;
    expect(payloadDigest).toBe(
      createHash('sha256').update(Buffer.from(nonce, 'hex')).update(canonicalJson(sent)).digest('hex'),
    );
    expect((await audit(body.auditId)).status).toBe('COMPLETED');
    expect((await signal(body.auditId)).violations).toEqual(['EMAIL']);
  });

  test('is accepted in a batch next to an item whose text is too long', async () => {
    const long = JSON.stringify({ ...TRIPLET, response: 'word '.repeat(500_000) });
    const answer = await post('/audit/ingest/batch', `[${JSON.stringify(sent)},${long}]`);
    expect(answer).toMatchObject({
      status: 202,
      body: {
        data: [
          { status: 'QUEUED' },
          { error: { statusCode: 413, message: expect.stringContaining('the longest is in response') } },
        ],
      },
    });
  });
});
