import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import { freePort } from '../../../deploy/local/server/ports.ts';
import { eventually } from '../../../test/helpers/eventually.ts';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import { type RedisBench, redisBench } from '../testing/redis-server.ts';

const WITHIN_MS = 30_000;
const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always'];

describeOn('redis', 'what the state requires of a Redis server', () => {
  let bench: RedisBench;
  beforeEach(() => {
    bench = redisBench();
  });
  afterEach(() => bench.close());
  const at = (port: number): string => `redis://127.0.0.1:${port}`;
  const refusal = (call: Promise<unknown>): Promise<Error> =>
    call.then(
      () => new Error('the call was answered'),
      (error: Error) => error,
    );

  test('a server that may lose acknowledged writes is refused with all faults', async () => {
    const port = await bench.bareServer('--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru');
    const error = await refusal(bench.state(at(port)));
    expect(error.name).toBe('StateUnavailable');
    expect(error.message).toBe(
      `cannot use Redis at 127.0.0.1:${port}: set "appendonly yes" (it is "no"); ` +
        'set "appendfsync always" (it is "everysec"); set "maxmemory-policy noeviction" (it is "allkeys-lru")',
    );
  });

  test('a cluster is refused', async () => {
    // By default the cluster bus uses the port plus 10,000, which does not exist for every port.
    const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())];
    const port = await bench.bareServer(...DURABLE, ...cluster);
    expect((await refusal(bench.state(at(port)))).message).toContain('it is a Redis Cluster');
  });

  test('a ping detects a changed setting, refuses all calls, and accepts them when it is correct', async () => {
    const server = await bench.server();
    const client = bench.client(server.address);
    const state = await bench.state(server.address);
    await state.ping();
    await client.config('SET', 'appendfsync', 'everysec');
    const messages = 'set "appendfsync always" (it is "everysec")';
    expect((await refusal(state.ping())).message).toContain(messages);
    const ref = { scope: 'c', collection: 'd', id: 'e' };
    for (const call of [
      state.admission.authenticate('00'),
      state.expiring.get('x'),
      state.documents.get(ref),
    ])
      expect(await refusal(call)).toMatchObject({
        name: 'StateUnavailable',
        message: expect.stringContaining(messages),
      });
    const write = () => state.documents.write('c', [{ ...ref, value: 1 }]);
    expect(await refusal(write())).toMatchObject({ name: 'StateUnavailable' });
    await client.config('SET', 'appendfsync', 'always');
    await eventually('calls are answered again', WITHIN_MS, async () => (await write()).ok || undefined);
    await state.ping();
  });

  test('settings are checked again after each new connection', async () => {
    const server = await bench.server();
    const state = await bench.state(server.address);
    const client = bench.client(server.address);
    await client.config('SET', 'maxmemory-policy', 'allkeys-random');
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await eventually(
      'the setting is noticed',
      WITHIN_MS,
      async () =>
        (await refusal(state.expiring.get('x'))).message.includes('"maxmemory-policy noeviction"') ||
        undefined,
    );
  });

  test('where settings are hidden it trusts INFO and reports what it could not check', async () => {
    const server = await bench.server();
    const client = bench.client(server.address);
    await client.call('ACL', 'SETUSER', 'app', 'on', '>s:cr/t', '~app:*', '+@all', '-config');
    const { host } = new URL(server.address);
    const url = `redis://app:${encodeURIComponent('s:cr/t')}@${host}`;
    const state = await bench.state(url, { keyPrefix: 'app:' });
    await state.expiring.set('x', '1', 1_000);
    await bench.state(`redis://${host}`, { keyPrefix: 'app:', username: 'app', password: 's:cr/t' });
    await state.ping();
    const warnings = bench.lines.filter(({ level }) => level === 'warn');
    const warning = {
      message: 'redis settings not verified',
      details: { settings: ['appendfsync always', 'no-appendfsync-on-rewrite no'] },
    };
    expect(warnings).toMatchObject([warning, warning]);
    await client.config('SET', 'appendonly', 'no');
    expect((await refusal(state.ping())).message).toContain('set "appendonly yes" (it is "no")');
  });

  test('a server without read-only scripts, as before 7.0, answers all of them', async () => {
    const without = ['EVAL_RO', 'EVALSHA_RO'].flatMap((name) => ['--rename-command', name, '']);
    const state = await bench.state(at(await bench.bareServer(...DURABLE, ...without)));
    await state.documents.write('c', [{ collection: 'd', id: 'e', value: 1 }]);
    const ref = { scope: 'c', collection: 'd', id: 'e' };
    expect((await state.documents.get(ref))?.value).toBe(1);
    expect(await state.documents.list('c', 'd')).toHaveLength(1);
    await state.ping();
  });

  test('a server that is down, or does not know the user, is named without the password', async () => {
    const port = await freePort();
    const away = await refusal(bench.state(`redis://:hidden@127.0.0.1:${port}`));
    expect(away).toMatchObject({
      name: 'StateUnavailable',
      message: `cannot reach Redis at 127.0.0.1:${port} (ECONNREFUSED); check that it is running, and check its address, user and password`,
    });
    const server = await bench.server();
    const wrong = await refusal(bench.state(server.address, { password: 'hidden' }));
    expect(wrong.message).toContain('incorrect user or password');
    const none = await refusal(bench.state(`redis://${new URL(server.address).host}`));
    expect(none.message).toContain('it wants a password');
    for (const error of [away, wrong, none]) {
      expect(`${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toContain('hidden');
      expect(error.name).toBe('StateUnavailable');
    }
  });

  test('the state waits for a password that is changed while it runs', async () => {
    const server = await bench.server();
    const { password, host } = new URL(server.address);
    const state = await bench.state(server.address);
    const client = bench.client(server.address);
    await client.config('SET', 'requirepass', 'another');
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal');
    const refused = await eventually('calls are refused for the password', WITHIN_MS, async () => {
      const error = await refusal(state.expiring.get('x'));
      return error.message.includes('incorrect user or password') ? error : undefined;
    });
    expect(refused.name).toBe('StateUnavailable');
    const operator = bench.client(`redis://:another@${host}`);
    await operator.config('SET', 'requirepass', password);
    await eventually('the state works again', WITHIN_MS, async () => {
      await state.ping();
      return true;
    });
  });

  test('uses the database in the address, and refuses one that does not exist', async () => {
    const server = await bench.server();
    const state = await bench.state(`${server.address}/3`);
    await state.expiring.set('x', '1', 60_000);
    expect(await bench.client(`${server.address}/3`).dbsize()).toBe(1);
    expect(await bench.client(server.address).dbsize()).toBe(0);
    expect((await refusal(bench.state(`${server.address}/99`))).message).toContain('it has no database 99');
  });

  test('uses TLS, and only with a server whose certificate it trusts', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'redis-tls-'));
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-days', '1', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const port = await freePort();
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-auth-clients', 'no'];
    await bench.bareServer(...DURABLE, '--tls-port', String(port), ...files);
    const ca = readFileSync(cert, 'utf8');
    const url = `rediss://localhost:${port}`;
    const state = await eventually('the server answers', WITHIN_MS, () => bench.state(url, { ca }));
    await state.expiring.set('x', '1', 60_000);
    expect(await state.expiring.get('x')).toBe('1');
    expect((await refusal(bench.state(url))).message).toContain('SELF_SIGNED');
    expect((await refusal(bench.state(`rediss://127.0.0.1:${port}`, { ca }))).message).toContain('ALTNAME');
    rmSync(folder, { recursive: true });
  });
});
