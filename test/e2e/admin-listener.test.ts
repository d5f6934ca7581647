import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { freePort } from '../../deploy/local/server/ports.ts';
import { type CasProcess, runCas, startCas } from '../helpers/cas-process.ts';
import { eventually } from '../helpers/eventually.ts';
import { removeDataDir, temporaryDataDir } from '../helpers/service.ts';

/** The service as a process, with a separate listener for /internal, /metrics and /health/ready. */

const dataDir = temporaryDataDir();
let service: CasProcess;
let settings: Record<string, string>;
let admin: string;
beforeAll(async () => {
  const [port, adminPort] = [String(await freePort()), String(await freePort())];
  settings = { DATA_DIR: dataDir, PORT: port, ADMIN_PORT: adminPort };
  admin = `http://127.0.0.1:${adminPort}`;
  service = await startCas(['start'], settings);
}, 60_000);
afterAll(async () => {
  await service?.killTree();
  removeDataDir(dataDir);
});

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

describe('with ADMIN_PORT', () => {
  test('the public port does not serve /internal, /metrics or /health/ready', async () => {
    for (const path of ['/internal/customers', '/internal/%63ustomers', '/metrics', '/health/ready'])
      expect([path, await statusOf(`${service.url}${path}`)]).toEqual([path, 404]);
    expect(await statusOf(`${service.url}/health/live`)).toBe(200);
    expect(await statusOf(`${service.url}/openapi.json`)).toBe(200);
  });

  test('the admin port serves /internal, /metrics and /health/ready on loopback, and no customer routes', async () => {
    expect(await statusOf(`${admin}/internal/customers`)).toBe(401);
    await eventually('it is ready, which it may not be for a moment on a busy machine', 30_000, async () =>
      (await statusOf(`${admin}/health/ready`)) === 200 ? true : undefined,
    );
    expect(await statusOf(`${admin}/health/live`)).toBe(200);
    expect(await (await fetch(`${admin}/metrics`)).text()).toContain('# TYPE');
    for (const path of ['/', '/sandboxes', '/audits', '/openapi.json', '/docs'])
      expect([path, await statusOf(`${admin}${path}`)]).toEqual([path, 404]);
  });

  test('a first start still creates its demo customer and prints the public address', async () => {
    const output = service.output();
    expect(output).toMatch(/API key {5}cas_[0-9a-f]{48}/);
    expect(output).toContain(`Dashboard   ${service.url}/ui/#token=`);
  });

  test('cas and the demo find both ports from the same settings', async () => {
    const made = await runCas(['accounts', 'create', 'Example Ltd', '--plan', 'PRO'], settings);
    expect([made.code, JSON.parse(made.output)]).toMatchObject([0, { name: 'Example Ltd' }]);
    const listed = await runCas(['accounts', 'list'], settings);
    expect([listed.code, listed.output]).toEqual([0, expect.stringContaining('Example Ltd')]);
    const demo = await runCas(['demo'], settings);
    expect([demo.code, demo.output]).toEqual([0, expect.stringContaining('Everything added up.')]);
    expect(demo.output).toContain(`Using the service at ${service.url}.`);
  }, 240_000);

  test('cas names the missing setting when it asks the public port', async () => {
    const { ADMIN_PORT: _lacking, ...others } = settings;
    const asked = await runCas(['accounts', 'list'], others);
    expect(asked.code).toBe(1);
    expect(asked.output).toContain('ADMIN_PORT');
  });
});

test('INTERNAL_ON_PUBLIC serves /internal on both ports; the other admin routes stay on the admin port', async () => {
  const folder = temporaryDataDir();
  const both = await startCas(['start', '--quiet'], {
    DATA_DIR: folder,
    PORT: '0',
    ADMIN_PORT: '0',
    INTERNAL_ON_PUBLIC: 'true',
  });
  try {
    expect(await statusOf(`${both.url}/internal/customers`)).toBe(401);
    expect(await statusOf(`${both.url}/metrics`)).toBe(404);
    expect(await statusOf(`${both.url}/health/ready`)).toBe(404);
    expect(await statusOf(`${both.adminUrl}/internal/customers`)).toBe(401);
    expect(await statusOf(`${both.adminUrl}/metrics`)).toBe(200);
    expect(await both.stop()).toBe(0);
  } finally {
    await both.killTree();
    removeDataDir(folder);
  }
}, 60_000);
