import { get } from 'node:http';
import { Counter, Registry } from 'prom-client';
import { afterEach, describe, expect, test } from '#jest';
import { hostCheck } from '#platform/config/allowed-hosts.ts';
import { type HealthServer, startHealthServer } from './health-server.ts';
import type { ReadinessReport } from './readiness.ts';

describe('health server of a role', () => {
  const open: HealthServer[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });
  const start = async (
    status: ReadinessReport['status'],
    port = 0,
    host = '127.0.0.1',
  ): Promise<HealthServer> => {
    const metrics = new Registry();
    new Counter({ name: 'cas_seen_total', help: 'seen', registers: [metrics] }).inc(3);
    const readiness = async () => ({ status, checks: { log: { ok: status === 'ready' } } });
    const server = await startHealthServer({
      host,
      port,
      readiness,
      metrics,
      isAllowedHost: hostCheck('127.0.0.1', []),
      now: Date.now,
    });
    open.push(server);
    return server;
  };

  test('responds with the paths and shapes of the API', async () => {
    const { url } = await start('ready');
    expect(await (await fetch(`${url}/health/live`)).json()).toEqual({ status: 'live' });
    const ready = await fetch(`${url}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', checks: { log: { ok: true } } },
    ]);
    const metrics = await fetch(`${url}/metrics`);
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await metrics.text()).toContain('cas_seen_total 3');
  });

  test('returns 200 while degraded, and 503 while the primary function fails', async () => {
    const degraded = await fetch(`${(await start('degraded')).url}/health/ready`);
    expect([degraded.status, await degraded.json()]).toMatchObject([200, { status: 'degraded' }]);
    const { url } = await start('unready');
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
  });

  test.each(['::1', '::'])('its URL can be used when it listens on %s', async (host) => {
    const { url } = await start('ready', 0, host);
    expect(url).toMatch(/^http:\/\/\[::1?\]:\d+$/);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  test('does not respond to a page whose host name points here', async () => {
    const { url } = await start('ready');
    const status = await new Promise((resolve, reject) => {
      get(`${url}/metrics`, { headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).once('error', reject);
    });
    expect(status).toBe(421);
  });

  test('an occupied port is refused with the setting to change', async () => {
    const { url } = await start('ready');
    await expect(start('ready', Number(new URL(url).port))).rejects.toThrow('set HEALTH_PORT');
  });
});
