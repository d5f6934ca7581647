import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import { describeStateContract } from '../contract.ts';
import { NOON } from '../testing/contract-seed.ts';
import { PATIENT_MS } from '../testing/redis-server.ts';
import { openRedisState } from './state.ts';

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
