import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { newLoss } from '#schemas/api/partitions.ts';
import { runCas, startCas } from '../helpers/cas-process.ts';
import { removeDataDir, temporaryDataDir } from '../helpers/service.ts';

/**
 * The container image runs under a numeric user id without a passwd entry. Node's behaviour in that case is simulated
 * here; only root could start a process as such a user, and only where others may read this folder.
 */
const WITHOUT_A_NAME = `
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
os.userInfo = () => {
  throw Object.assign(new Error('uv_os_get_passwd returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
};
syncBuiltinESMExports();
`;
const UNNAMED = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WITHOUT_A_NAME)}` };

describe('a process whose user has no name', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = temporaryDataDir();
  });
  afterEach(() => removeDataDir(dataDir));

  test('prints the help', async () => {
    const { code, output } = await runCas(['--help'], UNNAMED);
    expect([code, output]).toEqual([0, expect.stringContaining('partitions')]);
  });

  test('starts the service', async () => {
    const service = await startCas(['start', '--quiet'], { ...UNNAMED, DATA_DIR: dataDir, PORT: '0' });
    const ready = await fetch(`${service.url}/health/ready`).finally(service.stop);
    expect(ready.status).toBe(200);
  });

  test('accepts a loss without a user name, and the service records its own', async () => {
    const bodies: unknown[] = [];
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      bodies.push(JSON.parse(text));
      response.end('{"data":{}}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const environment = {
      ...UNNAMED,
      DATA_DIR: dataDir,
      PORT: String((server.address() as AddressInfo).port),
      INTERNAL_SECRET: 'a secret of this test that is long enough',
    };
    const args = ['partitions', 'accept', 'audit.ledger', '3', '--offset', '7', '--reason', 'tests'];
    try {
      for (const more of [[], ['--by', 'Ann']]) {
        const { code, output } = await runCas([...args, ...more], environment);
        expect([code, output]).toEqual([0, expect.stringContaining('resumes within seconds')]);
      }
    } finally {
      server.close();
    }
    expect(bodies).toEqual([
      { offset: 7, reason: 'tests' },
      { offset: 7, reason: 'tests', acceptedBy: 'Ann' },
    ]);
    expect(newLoss.parse(bodies[0]).acceptedBy).toBe('operator');
  });
});
