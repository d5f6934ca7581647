import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '#jest';
import { NoToken, oauthTokens } from './oauth-tokens.ts';

interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const CLIENT = { clientId: 'audit:service', clientSecret: 'se/cr%et', scope: 'kafka' };

let provider: Server;
let tokenUrl: string;
let asked: Asked[];
let answer: { readonly status: number; readonly body: string };
let nowMs: number;

const token = (access_token: string, more: object = { expires_in: 100 }) => ({
  status: 200,
  body: JSON.stringify({ access_token, token_type: 'Bearer', ...more }),
});

beforeEach(async () => {
  [asked, answer, nowMs] = [[], token('first'), 0];
  provider = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ headers: request.headers, body });
    response.writeHead(answer.status, { 'content-type': 'application/json', location: 'http://elsewhere' });
    response.end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  tokenUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/token`;
});
afterEach(() => {
  provider.closeAllConnections();
  provider.close();
});

const tokens = (client: { readonly scope?: string | null } = {}) =>
  oauthTokens({ ...CLIENT, ...client, tokenUrl }, () => nowMs);

test('requests tokens as RFC 6749 requires: client credentials, each part percent-encoded, and the scope', async () => {
  expect(await tokens()()).toBe('first');
  const [{ headers, body }] = asked as [Asked];
  const sent = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
  expect(sent).toBe('audit%3Aservice:se%2Fcr%25et');
  expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
  expect(body).toBe('grant_type=client_credentials&scope=kafka');
  await tokens({ scope: null })();
  expect(asked[1]?.body).toBe('grant_type=client_credentials');
});

test('concurrent requests share a token for most of its lifetime, then it is replaced', async () => {
  const next = tokens();
  expect(await Promise.all([next(), next(), next()])).toEqual(['first', 'first', 'first']);
  answer = token('second');
  nowMs = 79_000;
  expect([await next(), asked.length]).toEqual(['first', 1]);
  nowMs = 81_000;
  expect([await next(), asked.length]).toEqual(['second', 2]);
});

test('a token whose provider states no lifetime, or an invalid one, is replaced after minutes', async () => {
  for (const more of [{}, { expires_in: 'never' }, { expires_in: -1 }]) {
    answer = token('short', more);
    nowMs = 0;
    const next = tokens();
    await next();
    const before = asked.length;
    nowMs = 200_000;
    await next();
    expect(asked.length).toBe(before);
    nowMs = 250_000;
    await next();
    expect(asked.length).toBe(before + 1);
  }
});

test.each([
  [
    401,
    '{"error":"invalid_client","error_description":"se/cr%et is wrong"}',
    /returned 401 \(invalid_client\); check KAFKA_OAUTH_CLIENT_ID/,
  ],
  [500, 'se/cr%et <html>', /returned 500; check/],
  [302, '', /is unreachable .*check KAFKA_OAUTH_TOKEN_URL/],
  [200, '{"token_type":"Bearer"}', /no access_token/],
  [200, 'not JSON', /no access_token/],
])(
  'an answer %s %.40s is refused with advice what to check, quoting only its error code',
  async (status, body, message) => {
    answer = { status, body };
    const error = await tokens()().catch((caught: Error) => caught);
    expect(error).toBeInstanceOf(NoToken);
    expect((error as Error).message).toMatch(message);
    expect(String((error as Error).stack)).not.toMatch(/se\/cr|html/);
    // The next connection requests a token again.
    answer = token('later');
    expect(await oauthTokens({ ...CLIENT, tokenUrl })()).toBe('later');
  },
);

test('an answer of more than 64 KiB is not read to its end', async () => {
  answer = token('x'.repeat(70_000));
  const error = await tokens()().catch((caught: Error) => caught);
  expect((error as Error).message).toMatch(/returned more than 65536 bytes; check KAFKA_OAUTH_TOKEN_URL/);
});

test('an unreachable provider is named by its host', async () => {
  const next = tokens();
  provider.close();
  await once(provider, 'close');
  await expect(next()).rejects.toThrow(
    /^the token endpoint at 127\.0\.0\.1:\d+ is unreachable \(ECONNREFUSED\)/,
  );
});
