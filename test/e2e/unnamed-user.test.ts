import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { compiledModule } from '../../platform/runtime/package-root.ts';
import { newLoss } from '../../schemas/api/partitions.ts';
import { type RunAs, runCas, startCas } from '../helpers/cas-process.ts';
import { removeDataDir, temporaryDataDir } from '../helpers/service.ts';

/** The container image runs as a user who has a number and no entry in the list of users. */

const UNNAMED = 54_321;
const runAs: RunAs = { uid: UNNAMED, gid: UNNAMED };

/** Why such a user cannot be had here; null when it can. */
function whatIsMissing(): string | null {
  if (process.getuid?.() !== 0) return 'only root may start a process as another user';
  const reads = `require('node:fs').readFileSync(${JSON.stringify(compiledModule('cli/main.ts'))})`;
  const { status } = spawnSync(process.execPath, ['-e', reads], { ...runAs, stdio: 'ignore' });
  return status === 0 ? null : 'other users may not read this folder, or "npm run build" was not run';
}

const missing = whatIsMissing();
const describeUnnamed = missing === null ? describe : describe.skip;

describeUnnamed(
  missing === null ? 'a user without a name' : `a user without a name (skipped: ${missing})`,
  () => {
    let dataDir: string;
    beforeEach(() => {
      dataDir = temporaryDataDir();
      chownSync(dataDir, UNNAMED, UNNAMED);
    });
    afterEach(() => removeDataDir(dataDir));

    test('gets the help of the program', async () => {
      const { code, output } = await runCas(['--help'], {}, runAs);
      expect([code, output]).toEqual([0, expect.stringContaining('partitions')]);
    });

    test('starts the service', async () => {
      const service = await startCas(['start', '--quiet'], { DATA_DIR: dataDir, PORT: '0' }, runAs);
      const ready = await fetch(`${service.url}/health/ready`).finally(service.stop);
      expect(ready.status).toBe(200);
    });

    test('accepts a loss without a name, so that the service gives its own', async () => {
      const bodies: unknown[] = [];
      const server = createServer(async (request, response) => {
        let text = '';
        for await (const chunk of request) text += String(chunk);
        bodies.push(JSON.parse(text));
        response.end('{"data":{}}');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const environment = {
        DATA_DIR: dataDir,
        PORT: String((server.address() as AddressInfo).port),
        INTERNAL_SECRET: 'a secret of this test that is long enough',
      };
      const args = ['partitions', 'accept', 'audit.ledger', '3', '--offset', '7', '--reason', 'tests'];
      try {
        for (const more of [[], ['--by', 'Ann']]) {
          const { code, output } = await runCas([...args, ...more], environment, runAs);
          expect([code, output]).toEqual([0, expect.stringContaining('goes on within seconds')]);
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
  },
);
