import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { STATE_ROLES, STATE_USERS, stateUserOf } from '#records/state-rights.ts';
import { eventually } from '../../test/helpers/eventually.ts';
import { describeOn } from '../../test/helpers/real-servers.ts';
import { freePort } from '../local/server/ports.ts';
import { REDIS_USERS, redisPassword } from './key-readers.ts';
import { handOutKeys, makeKeys, type Owners } from './make-keys.ts';

/** The users of the compose set-ups as Redis loads them. */

const self = process.getuid?.() ?? 0;
const OWNERS: Owners = { keeper: self, service: self, redis: self, clickhouse: self };

describeOn('redis', 'the users of the compose set-ups', () => {
  let folder: string;
  let server: ChildProcess | undefined;
  let clients: Redis[];
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cas-redis-users-'));
    clients = [];
  });
  afterEach(async () => {
    for (const client of clients) client.disconnect();
    if (server !== undefined && server.exitCode === null) {
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
    }
    rmSync(folder, { recursive: true });
  });

  /** The server's answer to this user's login, or to its first PING. */
  async function answerTo(
    port: number,
    login: { username: string; password: string } | null,
  ): Promise<string> {
    const once = {
      lazyConnect: true,
      retryStrategy: () => null,
      enableReadyCheck: false,
      disconnectTimeout: 100,
    };
    const client = new Redis({ port, ...once, ...login });
    clients.push(client);
    let refused = '';
    client.on('error', (error) => {
      refused = error.message;
    });
    const answer = client.connect().then(() => client.ping());
    return answer.catch((error: Error) => refused || error.message);
  }

  const up = (port: number, password: string): Promise<string> =>
    eventually('the server answers', 20_000, async () => {
      const answer = await answerTo(port, { username: 'cas_health', password });
      return answer === 'PONG' ? answer : undefined;
    });

  async function expectUsers(port: number, passwords: Readonly<Record<string, string>>): Promise<void> {
    expect(await up(port, passwords.cas_health!)).toBe('PONG');
    expect(await answerTo(port, null)).toContain('NOAUTH');
    for (const user of Object.keys(passwords)) {
      // A role does not need PING; this only shows that it logged in.
      const isRole = STATE_ROLES.some((role) => stateUserOf(role) === user);
      const answer = await answerTo(port, { username: user, password: passwords[user]! });
      expect([user, answer]).toEqual([user, isRole ? expect.stringContaining("'ping'") : 'PONG']);
      expect(await answerTo(port, { username: user, password: 'guessed' })).toContain('WRONGPASS');
    }
  }

  test('one machine: every user logs in with the password of its container', async () => {
    const [kept, handed] = [path.join(folder, 'keys'), path.join(folder, 'handed')];
    mkdirSync(kept);
    makeKeys(kept, OWNERS);
    handOutKeys(kept, handed, OWNERS);
    const port = await freePort();
    const users = path.join(handed, 'redis', 'users.acl');
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--aclfile', users];
    server = spawn('redis-server', args, { stdio: 'ignore' });
    const read = (user: string): string => readFileSync(path.join(kept, redisPassword(user)), 'utf8');
    await expectUsers(port, Object.fromEntries(REDIS_USERS.map((user) => [user, read(user)])));
    expect(readFileSync(path.join(handed, 'redis', 'health-password'), 'utf8')).toBe(read('cas_health'));
  });

  test('production: the released rights and the digests of a secret define the users', async () => {
    const passwords = Object.fromEntries(STATE_USERS.map((user) => [user, randomBytes(12).toString('hex')]));
    const digests = path.join(folder, 'digests');
    const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
    const lines = STATE_USERS.map((user) => `${user} ${digestOf(passwords[user]!)}`);
    writeFileSync(digests, lines.join('\n'));
    const port = await freePort();
    const script = path.join(packageRoot(), 'deploy/production/redis-server.sh');
    const template = path.join(packageRoot(), 'deploy/image/redis-users.acl');
    const made = [template, digests, path.join(folder, 'users.acl')];
    const args = [script, ...made, '--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
    server = spawn('sh', args, { stdio: 'ignore' });
    await expectUsers(port, passwords);
  });
});
