import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { describeOn } from '../../test/helpers/real-parts.ts';
import { describeStateContract } from './contract.ts';
import { NOON } from './contract-seed.ts';
import { openRedisState } from './redis.ts';
import { PATIENT_MS } from './testing/redis-server.ts';

describeOn('redis', 'state on Redis', (url) => {
  describeStateContract('redis', async () => {
    const keyPrefix = `test-${randomUUID()}:`;
    let at = NOON;
    const open = () => openRedisState({ url, keyPrefix, now: () => at, commandTimeoutMs: PATIENT_MS });
    let state = await open();
    return {
      get state() {
        return state;
      },
      now: () => at,
      async advance(ms) {
        at += ms;
      },
      async reopen() {
        await state.close();
        state = await open();
      },
      async dispose() {
        await state.close();
        const redis = new Redis(url);
        const keys = await redis.keys(`${keyPrefix}*`);
        if (keys.length > 0) await redis.unlink(...keys);
        await redis.quit();
      },
    };
  });
});
