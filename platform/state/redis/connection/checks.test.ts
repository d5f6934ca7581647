import { expect, test } from '#jest';
import { type Demands, judgeServer } from './checks.ts';

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
const judge = (
  info: Record<string, string>,
  settings: Record<string, string> = SETTINGS,
  demands: Partial<Demands> = {},
) =>
  judgeServer(new Map(Object.entries({ ...INFO, ...info })), new Map(Object.entries(settings)), {
    durability: 'checked',
    behindSentinels: false,
    ...demands,
  });

test('a durable primary passes', () => {
  expect(judge({})).toEqual({ faults: [], unchecked: [] });
  for (const redis_version of ['6.2.0', '8.4.1', '10.0.0'])
    expect(judge({ redis_version }).faults).toEqual([]);
});

test.each([
  [{ redis_version: '6.0.16' }, 'it is version 6.0.16: run 6.2 or newer'],
  [{ redis_version: '5.0.7' }, 'it is version 5.0.7: run 6.2 or newer'],
  [{ role: 'slave' }, 'it is a replica: use the address of the primary'],
  [
    { redis_mode: 'sentinel' },
    'it is a Sentinel: put it into REDIS_SENTINELS, and the primary into REDIS_URL',
  ],
  [
    { cluster_enabled: '1' },
    'it is a Redis Cluster, which is not supported: run one primary with replicas (at a provider: with cluster mode off)',
  ],
])('refuses %j', (info, fault) => {
  expect(judge(info as Record<string, string>).faults).toEqual([fault]);
});

test('refuses each setting that can lose acknowledged writes', () => {
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

test('without settings it uses INFO, and reports what cannot be checked', () => {
  const unchecked = ['appendfsync always', 'no-appendfsync-on-rewrite no'];
  expect(judge({}, {})).toEqual({ faults: [], unchecked });
  expect(judge({ aof_enabled: '0', maxmemory_policy: 'allkeys-lru' }, {}).faults).toEqual([
    'set "appendonly yes" (it is "no"), or REDIS_DURABILITY=asserted if the provider guarantees acknowledged writes in another way',
    'set "maxmemory-policy noeviction" (it is "allkeys-lru")',
  ]);
});

test('an operator’s assertion of durability is accepted, shown or hidden; eviction and role are still checked', () => {
  const asserted = { durability: 'asserted' } as const;
  const unchecked = ['appendonly yes', 'appendfsync always', 'no-appendfsync-on-rewrite no'];
  expect(judge({ aof_enabled: '0' }, {}, asserted)).toEqual({ faults: [], unchecked });
  const everySecond = { ...SETTINGS, appendfsync: 'everysec' };
  expect(judge({}, everySecond, asserted)).toEqual({ faults: [], unchecked: ['appendfsync always'] });
  expect(judge({ maxmemory_policy: 'allkeys-lru', cluster_enabled: '1' }, {}, asserted).faults).toEqual([
    expect.stringContaining('Redis Cluster'),
    'set "maxmemory-policy noeviction" (it is "allkeys-lru")',
  ]);
});

test('behind Sentinels a primary must refuse writes when it is cut off from its replicas', () => {
  const behindSentinels = { behindSentinels: true };
  expect(judge({}, SETTINGS, behindSentinels).faults).toEqual([
    expect.stringMatching(/^set "min-replicas-to-write 1" on every server: with Sentinels/),
  ]);
  expect(judge({ min_slaves_good_slaves: '0' }, SETTINGS, behindSentinels).faults).toEqual([]);
});
