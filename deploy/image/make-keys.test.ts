import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { loadMasterKey } from '#platform/sealing/master-key.ts';
import { loadSigningKey } from '#platform/sealing/signing-key.ts';
import { STATE_ROLES } from '#records/state-rights.ts';
import { KEY_READERS } from './key-readers.ts';
import { handOutKeys, makeKeys, type Owners } from './make-keys.ts';

const self = process.getuid?.() ?? 0;
const OWNERS: Owners = { keeper: self, service: self, redis: self, clickhouse: self };
const NAMES = [
  'clickhouse-api-password',
  'clickhouse-correlator-password',
  'clickhouse-migrate-password',
  'clickhouse-sink-password',
  'internal-secret',
  'master.key',
  'redis-analyzer-password',
  'redis-api-password',
  'redis-correlator-password',
  'redis-health-password',
  'redis-migrate-password',
  'redis-operator-password',
  'redis-sink-password',
  'signing.key',
];

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cas-make-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string): string => path.join(folder, name);
const text = (name: string): string => readFileSync(file(name), 'utf8');
const contents = () => NAMES.map((name) => readFileSync(file(name)).toString('hex'));

describe('secrets of the compose set-up', () => {
  test('are created once, readable by their owner only', () => {
    expect(makeKeys(folder, OWNERS).sort()).toEqual(NAMES);
    expect(readdirSync(folder).sort()).toEqual(NAMES);
    for (const name of NAMES) expect(statSync(file(name)).mode & 0o777).toBe(0o600);
    const made = contents();
    expect(makeKeys(folder, OWNERS)).toEqual([]);
    expect(contents()).toEqual(made);
  });

  test('are distributed: each container receives only the files it reads', () => {
    makeKeys(folder, OWNERS);
    const handed = mkdtempSync(path.join(tmpdir(), 'cas-handed-'));
    try {
      handOutKeys(folder, handed, OWNERS);
      expect(readdirSync(handed).sort()).toEqual(Object.keys(KEY_READERS).sort());
      for (const [reader, { files }] of Object.entries(KEY_READERS)) {
        expect(readdirSync(path.join(handed, reader)).sort()).toEqual(Object.keys(files).sort());
        for (const [name, secret] of Object.entries(files)) {
          const copy = path.join(handed, reader, name);
          expect(statSync(copy).mode & 0o777).toBe(0o600);
          if (NAMES.includes(secret)) expect(readFileSync(copy)).toEqual(readFileSync(file(secret)));
        }
      }
      writeFileSync(file('internal-secret'), 'another-secret-of-some-length');
      handOutKeys(folder, handed, OWNERS);
      expect(readFileSync(path.join(handed, 'api', 'internal-secret'), 'utf8')).toBe(
        'another-secret-of-some-length',
      );
    } finally {
      rmSync(handed, { recursive: true });
    }
  });

  test('can be loaded by the service', () => {
    makeKeys(folder, OWNERS);
    expect(loadMasterKey(file('master.key'), { create: false })).toHaveLength(32);
    expect(loadSigningKey(file('signing.key'), { create: false }).publicKey).toHaveLength(32);
    expect(text('internal-secret').length).toBeGreaterThanOrEqual(16);
  });

  test('give the servers the digests of the clients’ passwords', () => {
    makeKeys(folder, OWNERS);
    const handed = path.join(folder, 'handed');
    handOutKeys(folder, handed, OWNERS);
    const shown = (reader: string, name: string): string =>
      readFileSync(path.join(handed, reader, name), 'utf8');
    const users = shown('redis', 'users.acl');
    const passwords = STATE_ROLES.map((role) => {
      const password = shown(role, 'redis-password');
      expect(users).toContain(`user cas_${role} on #${digestOf(password)} `);
      return password;
    });
    expect(new Set(passwords).size).toBe(STATE_ROLES.length);
    for (const password of passwords) expect(users).not.toContain(password);
    expect(users).toMatch(/^user default off /);
    expect(users).not.toContain('cas_replica');
    const account = shown('clickhouse', 'clickhouse-account.xml');
    const digests = ['api', 'sink', 'migrate'].map((role) => {
      const digest = digestOf(shown(role, 'clickhouse-password'));
      expect(account).toContain(`<cas_${role}_password_sha256>${digest}<`);
      return digest;
    });
    expect(new Set(digests).size).toBe(3);
  });

  test('keep existing files and recreate what a crash left incomplete', () => {
    writeFileSync(file('master.key'), 'a1'.repeat(32), { mode: 0o600 });
    writeFileSync(file('signing.key.draft'), 'half', { mode: 0o600 });
    makeKeys(folder, OWNERS);
    expect(text('master.key')).toBe('a1'.repeat(32));
    expect(readdirSync(folder).sort()).toEqual(NAMES);
  });
});
