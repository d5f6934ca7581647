import { expect, test } from '@jest/globals';
import { judgeServer } from './checks.ts';

const INFO = {
  redis_version: '7.0.15',
  redis_mode: 'standalone',
  role: 'master',
  cluster_enabled: '0',
  aof_enabled: '1',
  maxmemory_policy: 'noeviction',
};
const SETTINGS = {
  appendonly: 'yes',
  appendfsync: 'always',
  'no-appendfsync-on-rewrite': 'no',
  'maxmemory-policy': 'noeviction',
};
const judge = (info: Record<string, string>, settings: Record<string, string> = SETTINGS) =>
  judgeServer(new Map(Object.entries({ ...INFO, ...info })), new Map(Object.entries(settings)));

test('a durable primary passes', () => {
  expect(judge({})).toEqual({ faults: [], unchecked: [] });
  for (const redis_version of ['6.2.0', '8.4.1', '10.0.0'])
    expect(judge({ redis_version }).faults).toEqual([]);
});

test.each([
  [{ redis_version: '6.0.16' }, 'it is version 6.0.16: run 6.2 or newer'],
  [{ redis_version: '5.0.7' }, 'it is version 5.0.7: run 6.2 or newer'],
  [{ role: 'slave' }, 'it is a replica: give the address of the primary'],
  [{ redis_mode: 'sentinel' }, 'it is a Sentinel: give the address of the server'],
  [{ cluster_enabled: '1' }, 'it is a Redis Cluster, which is not supported: run one primary with replicas'],
])('refuses %j', (info, fault) => {
  expect(judge(info as Record<string, string>).faults).toEqual([fault]);
});

test('refuses each setting that loses what was answered', () => {
  for (const [name, value] of [
    ['appendonly', 'no'],
    ['appendfsync', 'everysec'],
    ['no-appendfsync-on-rewrite', 'yes'],
    ['maxmemory-policy', 'volatile-lru'],
  ] as const) {
    const wanted = SETTINGS[name];
    expect(judge({}, { ...SETTINGS, [name]: value }).faults).toEqual([
      `set "${name} ${wanted}" (it is "${value}")`,
    ]);
  }
});

test('without settings it takes what INFO shows, and tells what nobody can know', () => {
  const unchecked = ['appendfsync always', 'no-appendfsync-on-rewrite no'];
  expect(judge({}, {})).toEqual({ faults: [], unchecked });
  expect(judge({ aof_enabled: '0', maxmemory_policy: 'allkeys-lru' }, {}).faults).toEqual([
    'set "appendonly yes" (it is "no")',
    'set "maxmemory-policy noeviction" (it is "allkeys-lru")',
  ]);
});
