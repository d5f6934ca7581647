import { describeOn } from '../../../test/helpers/real-servers.ts';
import { describeConfirmationContract } from '../confirmation.contract.ts';
import { redisBench } from '../testing/redis-server.ts';
import { replicatedRedis } from '../testing/replicated-redis.ts';

describeOn('redis', 'a Redis with a replica', () => {
  describeConfirmationContract('redis', async () => {
    const bench = redisBench();
    const servers = await replicatedRedis(bench);
    const open = (url: string) => bench.state(url, { commandTimeoutMs: 2_000 });
    const [first, second] = await Promise.all([open(servers.primary), open(servers.primary)]);
    return {
      first,
      second,
      pause: servers.pause,
      release: servers.release,
      cut: servers.cut,
      failOver: async () => open(await servers.failOver()),
      dispose: () => bench.close(),
    };
  });
});
