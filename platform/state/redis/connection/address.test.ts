import { expect, test } from '#jest';
import { openRedisState } from '../state.ts';
import { redisTarget } from './address.ts';

test.each([
  'redis.example',
  'http://localhost:6379',
  'redis://',
  'redis://localhost/db',
  'redis://u:hidden@host:99999',
  'redis://u:hidden%@host',
])('an invalid address is refused: %s', async (url) => {
  const error = await openRedisState({ url }).catch((caught: Error) => caught);
  expect(error).toMatchObject({ name: 'RangeError' });
  expect((error as Error).message).not.toContain('hidden');
});

test('certificates need a TLS address, and a key prefix has no braces', async () => {
  await expect(openRedisState({ url: 'redis://h', ca: 'PEM' })).rejects.toThrow('rediss://');
  await expect(openRedisState({ url: 'redis://h', keyPrefix: '{a}' })).rejects.toThrow('key prefix');
});

test('host, port, database, user and password come from the address, and separate settings override it', () => {
  expect(redisTarget({ url: 'redis://localhost' })).toEqual({
    where: 'localhost:6379',
    target: { host: 'localhost', port: 6_379, db: 0 },
  });
  expect(redisTarget({ url: 'rediss://me:p%40ss@r.example:7000/3', ca: 'PEM' })).toEqual({
    where: 'r.example:7000',
    target: {
      host: 'r.example',
      port: 7_000,
      db: 3,
      username: 'me',
      password: 'p@ss',
      tls: { servername: 'r.example', ca: 'PEM' },
    },
  });
  expect(redisTarget({ url: 'rediss://me:old@[::1]/', username: 'you', password: 'new' }).target).toEqual({
    host: '::1',
    port: 6_379,
    db: 0,
    username: 'you',
    password: 'new',
    tls: {},
  });
});

test('with Sentinels the address names the primary, and TLS is used with them too', () => {
  const sentinels = ['a.example:26379', 'b.example:26380'];
  expect(
    redisTarget({ url: 'redis://cas:pw@My_master/2', sentinels, sentinelPassword: 'of sentinels' }),
  ).toEqual({
    where: '"My_master" of the Sentinels a.example:26379, b.example:26380',
    target: {
      sentinels: [
        { host: 'a.example', port: 26_379 },
        { host: 'b.example', port: 26_380 },
      ],
      name: 'My_master',
      db: 2,
      username: 'cas',
      password: 'pw',
      sentinelPassword: 'of sentinels',
    },
  });
  expect(redisTarget({ url: 'rediss://mymaster', sentinels, ca: 'PEM' }).target).toMatchObject({
    tls: { ca: 'PEM' },
    enableTLSForSentinelMode: true,
    sentinelTLS: { ca: 'PEM' },
  });
  expect(() => redisTarget({ url: 'redis://mymaster:6379', sentinels })).toThrow('without a port');
});
