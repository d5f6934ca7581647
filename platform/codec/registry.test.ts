import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, jest, test } from '#jest';
import { selfSignedCertificate } from '../../test/helpers/self-signed-certificate.ts';
import { golden } from './contract.ts';
import { RegistryUnavailable } from './port.ts';
import { registerSchemas } from './register.ts';
import { type RegistryOptions, registryCodec, SchemaNotRegistered } from './registry.ts';

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = (status: number, body: string, type = 'application/json') =>
  serve((request, response) => {
    request.resume();
    response.writeHead(status, { 'Content-Type': type }).end(body);
  });

const faultOf = (options: RegistryOptions): Promise<Error> =>
  registryCodec(options).then(
    () => new Error('it was opened'),
    (error: Error) => error,
  );

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe('an unusable registry is unavailable, and the error says what to check', () => {
  const closedPort = async (): Promise<number> => {
    const { port } = new URL(await answering(200, ''));
    const closed = once(servers[0] as Server, 'close');
    servers.splice(0)[0]?.close();
    await closed;
    return Number(port);
  };

  test('nothing listens there', async () => {
    const fault = await faultOf({ url: `http://127.0.0.1:${await closedPort()}` });
    expect(fault).toBeInstanceOf(RegistryUnavailable);
    expect(fault.message).toMatch(
      /is unreachable, or .* \(connect ECONNREFUSED .*\): check that it is running, and check SCHEMA_REGISTRY_URL/,
    );
  });

  test('nothing listens at any address of a name', async () => {
    const addresses = [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ];
    const url = `http://registry.test:${await closedPort()}`;
    const lookup = jest.spyOn(dns, 'lookup');
    // @ts-expect-error one of its forms: a connection asks for all addresses
    lookup.mockImplementation((_name, _options, callback) => callback(null, addresses));
    const fault = await faultOf({ url });
    lookup.mockRestore();
    expect(fault.message).toMatch(/\(ECONNREFUSED\)/);
  });

  test.each([
    ['a web page', 200, '<html>sign in</html>', 'text/html', /is not a schema registry/],
    ['JSON of something else', 200, '{"hello":1}', 'application/json', /is not a schema registry/],
    ['an unknown path', 404, '<html>Not found</html>', 'text/html', /Apicurio: \/apis\/ccompat\/v7/],
    ['a redirection', 302, '', 'text/html', /is not a schema registry/],
    ['wrong credentials', 401, '{"message":"no"}', 'application/json', /rejected the credentials \(401\)/],
    ['no permission', 403, '', 'text/plain', /rejected the credentials \(403\)/],
    [
      'an error of the registry itself',
      500,
      '{"message":"store"}',
      'application/json',
      /answered with status 500/,
    ],
  ])('%s', async (_, status, body, type, message) => {
    const fault = await faultOf({ url: await answering(status, body, type) });
    expect(fault).toBeInstanceOf(RegistryUnavailable);
    expect(fault.message).toMatch(message);
  });

  test('no response, or an endless one, within the time limit', async () => {
    const silent = await serve((request) => request.resume());
    expect((await faultOf({ url: silent, timeoutMs: 100 })).message).toContain(
      'did not respond within 0.1 s',
    );
    const halting = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 });
      response.write('{"id":');
    });
    expect((await faultOf({ url: halting, timeoutMs: 100 })).message).toContain('did not respond within');
    const torn = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 });
      response.write('{"id":', () => response.socket?.destroySoon());
    });
    expect(await faultOf({ url: torn, timeoutMs: 100 })).toBeInstanceOf(RegistryUnavailable);
  });

  test('an endless response is not read to the end', async () => {
    let sent = 0;
    const flood = Buffer.alloc(2 ** 16, 32);
    const url = await serve((request, response) => {
      request.resume();
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const write = (): void => {
        while (!response.destroyed) {
          sent += flood.length;
          if (!response.write(flood)) break;
        }
      };
      response.on('drain', write);
      write();
    });
    const fault = await faultOf({ url });
    expect(fault).toBeInstanceOf(RegistryUnavailable);
    expect(fault.message).toMatch(/the response exceeds 4194304 bytes/);
    expect(sent).toBeLessThan(2 ** 26);
  });

  test('an invalid address is a fault of the settings', async () => {
    expect((await faultOf({ url: 'registry:8081' })).message).toMatch(/start with http/);
    expect((await faultOf({ url: '//hidden' })).message).toMatch(/is not a URL/);
    expect((await faultOf({ url: 'http://127.0.0.1', ca: 'pem' })).message).toMatch(/https:\/\//);
  });
});

test('a registry with its own certificate is trusted by that certificate alone', async () => {
  const { certificate, key } = selfSignedCertificate(['localhost']);
  const server = createTlsServer({ cert: certificate, key }, (request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":1}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  await expect(registryCodec({ url, ca: certificate })).resolves.toBeDefined();
  const fault = await faultOf({ url });
  expect(fault).toBeInstanceOf(RegistryUnavailable);
  expect(fault.message).toMatch(/self-signed certificate/);
});

describe('credentials', () => {
  test.each([
    ['of the options', '', { username: 'registrar', password: 'hidden word' }],
    ['of the address', 'registrar:hidden%20word@', {}],
  ])('%s are sent, and no error quotes them', async (_, inAddress, given) => {
    const seen = new Set<string | undefined>();
    const url = await serve((request, response) => {
      request.resume();
      seen.add(request.headers.authorization);
      response.writeHead(401).end();
    });
    const fault = await faultOf({ url: url.replace('//', `//${inAddress}`), ...given });
    expect([...seen]).toEqual([`Basic ${Buffer.from('registrar:hidden word').toString('base64')}`]);
    expect(`${fault.message} ${JSON.stringify(fault)}`).not.toMatch(/hidden/);
  });
});

describe('an empty registry', () => {
  const empty = () =>
    serve((request, response) => {
      request.resume();
      const isList = request.url === '/subjects';
      response
        .writeHead(isList ? 200 : 404, { 'Content-Type': 'application/vnd.schemaregistry.v1+json' })
        .end(isList ? '[]' : '{"error_code":40401,"message":"Subject not found."}');
    });

  test('fails startup with the names of all missing schemas', async () => {
    const fault = await faultOf({ url: await empty() });
    expect(fault).toBeInstanceOf(SchemaNotRegistered);
    for (const subject of ['audit.triplets', 'audit.triplets.dlq', 'audit.ledger'])
      expect(fault.message).toContain(`under ${subject}-value`);
  });
});

/** Assigns the same ids to every subject, or different ones, and fails on demand. */
async function fakeRegistry(idOf: (subject: string, text: string) => number) {
  const requests: string[] = [];
  let isDown = false;
  const url = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      requests.push(`${request.method} ${request.url}`);
      const subject = /^\/subjects\/([^/]+)/.exec(request.url ?? '')?.[1] ?? '';
      const answer = request.method === 'PUT' ? {} : { id: idOf(subject, body) };
      response
        .writeHead(isDown ? 503 : 200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(answer));
    });
  });
  return {
    url,
    requests,
    goDown: () => {
      isDown = true;
    },
  };
}

describe('schema ids', () => {
  test('that differ between subjects are all read, and the main topic’s is written', async () => {
    const registry = await fakeRegistry((subject, text) =>
      text.includes('LedgerEntry') ? 70 : 80 + subject.length,
    );
    const codec = await registryCodec({ url: registry.url });
    const { event } = golden<Parameters<typeof codec.encodeTriplet>[0]>('audit-triplet.v1');
    const bytes = codec.encodeTriplet(event);
    expect(bytes.readUInt32BE(1)).toBe(80 + 'audit.triplets-value'.length);
    bytes.writeUInt32BE(80 + 'audit.triplets.dlq-value'.length, 1);
    expect(codec.decodeTriplet(bytes)).toMatchObject({ auditId: event.auditId });
    expect(registry.requests.every((request) => /^POST \/subjects\/[^/]+$/.test(request))).toBe(true);
  });

  test('are not requested again while records flow, and an outage while learning is not the record’s fault', async () => {
    const registry = await fakeRegistry((_, text) => (text.includes('LedgerEntry') ? 2 : 1));
    const codec = await registryCodec({ url: registry.url });
    registry.goDown();
    const { event } = golden<Parameters<typeof codec.encodeTriplet>[0]>('audit-triplet.v1');
    const bytes = codec.encodeTriplet(event);
    expect(codec.decodeTriplet(bytes)).toMatchObject({ auditId: event.auditId });
    bytes.writeUInt32BE(99, 1);
    await expect(codec.learn(bytes)).rejects.toThrow(RegistryUnavailable);
  });

  const learning = async (answer: object, asked: string[] = []): Promise<boolean> => {
    const url = await serve((request, response) => {
      request.resume();
      asked.push(`${request.url}`);
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(request.method === 'POST' ? { id: 1 } : answer));
    });
    return (await registryCodec({ url })).learn(Buffer.from([0, 0, 0, 0, 99]));
  };

  test('of other kinds of schemas are neither learned nor compiled, and broken ones are not learned', async () => {
    const asked: string[] = [];
    const references = [{ name: 'part', subject: 'parts', version: 1 }];
    expect(await learning({ schemaType: 'JSON', schema: '{}', references }, asked)).toBe(false);
    // Schemas that would be compiled with it were not requested.
    expect(asked.filter((url) => url.startsWith('/subjects/parts/'))).toEqual([]);
    expect(await learning({ schema: '"nonsense"' })).toBe(false);
  });

  test('whose response contains no schema are an outage', async () => {
    await expect(learning({ hello: 1 })).rejects.toThrow(RegistryUnavailable);
  });

  test('in many records at once are requested once, and again after an outage', async () => {
    const registry = await fakeRegistry((_, text) => (text.includes('LedgerEntry') ? 2 : 1));
    const codec = await registryCodec({ url: registry.url });
    const asked = (): number => registry.requests.filter((one) => one === 'GET /schemas/ids/99').length;
    const bytes = Buffer.from([0, 0, 0, 0, 99]);
    await Promise.allSettled(Array.from({ length: 100 }, () => codec.learn(bytes)));
    expect(asked()).toBe(1);
    await codec.learn(bytes).catch(() => false);
    expect(asked()).toBe(2);
  });

  test('require full compatibility before registration', async () => {
    const steps: string[] = [];
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        if (request.url?.includes('audit.ledger-value'))
          steps.push(`${request.method} ${request.url}${request.method === 'PUT' ? ` ${body}` : ''}`);
        const isLookUp = request.method === 'POST' && !request.url?.endsWith('/versions');
        const isList = request.url === '/subjects';
        response
          .writeHead(isLookUp && !isList ? 404 : 200, { 'Content-Type': 'application/json' })
          .end(isList ? '[]' : '{"id":1,"compatibilityLevel":"FULL_TRANSITIVE"}');
      });
    });
    const { registered } = await registerSchemas({ url });
    expect(registered).toContain('cas.v1.LedgerEntry under audit.ledger-value');
    expect(steps).toEqual([
      'POST /subjects/audit.ledger-value',
      'PUT /config/audit.ledger-value {"compatibility":"FULL_TRANSITIVE"}',
      'GET /config/audit.ledger-value',
      'POST /subjects/audit.ledger-value/versions',
    ]);
  });
});
