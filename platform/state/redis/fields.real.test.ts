import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { expect, test } from '#jest';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import { API_KEYS, CUSTOMERS, type DocumentRef, SANDBOX_SLUGS, SESSIONS } from '../port.ts';
import { redisKeys } from './keys.ts';
import { openRedisState } from './state.ts';

/** Admission reads fields stored with a document's JSON: a changed field must not be accepted as the sealed one. */
const CASES: readonly [collection: string, value: object, field: string, changed: string][] = [
  [API_KEYS, { status: 'revoked' }, 'status', 'active'],
  [CUSTOMERS, { ratePerSecond: 1, burst: 1, auditQuota: 9, active: false }, 'active', '1'],
  [CUSTOMERS, { ratePerSecond: 1, burst: 1, auditQuota: 9, active: true }, 'auditQuota', ''],
  [SESSIONS, { userId: 'u-1', openedAt: 1 }, 'userId', 'u-2'],
  [
    SANDBOX_SLUGS,
    { sandboxId: 's-1', sandboxVersion: 2, slug: 'support', active: true, deleted: false },
    'sandboxVersion',
    '1',
  ],
];

describeOn('redis', 'fields of documents in Redis', (url) => {
  test.each(CASES)('%s %j with a changed %s has no seal', async (collection, value, field, changed) => {
    const keyPrefix = `test-${randomUUID()}:`;
    const state = await openRedisState({ url, keyPrefix });
    const redis = new Redis(url);
    const ref: DocumentRef = { scope: 'c1', collection, id: 'one' };
    const key = redisKeys(keyPrefix).document(ref);
    try {
      await state.documents.write('c1', [{ collection, id: 'one', value, seal: 'sealed' }]);
      expect(await state.documents.get(ref)).toMatchObject({ value, seal: 'sealed' });
      await redis.hset(key, field, changed);
      expect(await state.documents.get(ref)).toEqual({ id: 'one', version: 1, value });
    } finally {
      await redis.unlink(key, redisKeys(keyPrefix).collection('c1', collection));
      await redis.quit();
      await state.close();
    }
  });
});
