import { expect, test } from '#jest';
import type { CasProcess } from '../helpers/cas-process.ts';
import { eventually } from '../helpers/eventually.ts';
import { describeOnStack } from '../helpers/stack.ts';
import { LIMIT_MS, LoadedService, pause, readyBody, SESSION_MS, turns } from './loaded-service.ts';

const WAREHOUSE_DOWN_MS = 30_000;
const BROKER_DOWN_MS = 10_000;
const STATE_DOWN_MS = 5_000;

describeOnStack('one process per role on real servers', () => {
  const the = new LoadedService();

  /** Ingest does not need the warehouse; a query that does says when to retry. */
  const expectDegradedApi = async (): Promise<void> => {
    const answer = await fetch(`${the.service.url}/health/ready`);
    const body = (await answer.json()) as { status: string; checks: Record<string, { ok: boolean }> };
    const failing = Object.keys(body.checks).filter((name) => body.checks[name]?.ok === false);
    expect([answer.status, body.status, failing]).toEqual([200, 'degraded', ['ledger', 'warehouse']]);
    const metrics = await (await fetch(`${the.service.url}/metrics`)).text();
    expect(metrics).toMatch(/^cas_dependency_up\{role="api",dependency="warehouse"\} 0$/m);
    expect(metrics).toMatch(/^cas_readiness_level\{role="api"\} 1$/m);
    const query = await fetch(`${the.service.url}/dashboard/signals`, {
      headers: { 'x-service-key': the.customer.key },
    });
    expect([query.status, Number(query.headers.get('retry-after')) > 0]).toEqual([503, true]);
  };

  test(
    'the broker is killed and comes back',
    async () => {
      await the.underLoad('Broker killed', async () => {
        await the.stack.servers.kafka.kill();
        await turns(the.service, 503, 60_000);
        await pause(BROKER_DOWN_MS);
        await the.stack.servers.kafka.restart();
        await turns(the.service, 200, 90_000);
      });
      for (const one of [...the.service.of('analyzer'), ...the.service.of('sink')])
        await turns(one, 200, 90_000);
      await the.expectWhole();
    },
    LIMIT_MS,
  );

  test(
    'Redis is killed and comes back: no request is authenticated meanwhile',
    async () => {
      await the.underLoad('Redis killed', async () => {
        await the.stack.servers.redis.kill();
        await turns(the.service, 503, 30_000);
        const answer = await fetch(`${the.service.url}/sandboxes`, {
          headers: { 'x-service-key': the.customer.key },
        });
        expect(answer.status).toBe(503);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        await pause(STATE_DOWN_MS);
        await the.stack.servers.redis.restart();
        await turns(the.service, 200, 60_000);
      });
      await the.expectWhole();
    },
    LIMIT_MS,
  );

  test(
    'ClickHouse is killed for half a minute: the API stays in rotation, degraded, and ingest continues',
    async () => {
      await the.underLoad('ClickHouse killed', async () => {
        await the.stack.servers.clickhouse.kill();
        const [sink] = the.service.of('sink') as [CasProcess];
        await turns(sink, 503, 60_000);
        await expectDegradedApi();
        await the.moreAccepted('the log takes triplets meanwhile', 100);
        await pause(WAREHOUSE_DOWN_MS);
        await expectDegradedApi();
        await the.stack.servers.clickhouse.restart();
        await turns(sink, 200, 60_000);
        await eventually('the API is ready again', 60_000, async () =>
          (await readyBody(the.service.url)).status === 'ready' ? true : undefined,
        );
      });
      await the.expectWhole();
    },
    LIMIT_MS,
  );

  test(
    'a sink is paused beyond its session and wakes as a zombie',
    async () => {
      const [zombie, other] = the.service.of('sink') as [CasProcess, CasProcess];
      await the.underLoad('Zombie', async () => {
        zombie.process.kill('SIGSTOP');
        await the.moreAccepted('load is on while the sink sleeps', 200);
        await pause(SESSION_MS * 2);
        zombie.process.kill('SIGCONT');
        await turns(zombie, 200, 60_000);
      });
      await turns(other, 200, 60_000);
      await the.expectWhole();
    },
    LIMIT_MS,
  );

  test(
    'an analyzer is paused beyond its session and wakes as a zombie',
    async () => {
      const [zombie] = the.service.of('analyzer') as [CasProcess];
      await the.underLoad('Zombie analyzer', async () => {
        zombie.process.kill('SIGSTOP');
        await the.moreAccepted('load is on while the analyzer sleeps', 200);
        await pause(SESSION_MS * 2);
        zombie.process.kill('SIGCONT');
        await turns(zombie, 200, 60_000);
      });
      await the.expectWhole();
    },
    LIMIT_MS,
  );
});
