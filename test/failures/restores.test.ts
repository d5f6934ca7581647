import { generateKeyPairSync } from 'node:crypto';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { createClient } from '../../cli/command/client.ts';
import { signIn } from '../helpers/account.ts';
import { StartFailed } from '../helpers/cas-process.ts';
import { customerClient } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { verifyChain } from '../helpers/final-state.ts';
import {
  ALL_ENDED,
  answersTo,
  endRights,
  folded,
  makeRights,
  type Rights,
} from '../helpers/revoked-rights.ts';
import { removeDataDir, startService, temporaryDataDir } from '../helpers/service.ts';
import { MIXED, type Part } from './mixed-backups.ts';

/**
 * Backups of two points in time, mixed: parts of the data folder from before some rights ended, the others from after.
 * Either the start is refused with instructions, or every ended right stays ended.
 */

const { root: _root, ...files } = dataFolder('');
const PARTS = {
  state: [files.state],
  log: [files.log],
  warehouse: [files.warehouse],
  keys: [files.masterKey, files.signingKey],
  packages: [files.packages],
} as const satisfies Readonly<Record<Part, readonly string[]>>;
const WITHIN_MS = 60_000;

const before = temporaryDataDir();
const after = temporaryDataDir();
let dataDir: string;
let rights: Rights;

beforeAll(async () => {
  const first = await startService(after);
  rights = await makeRights(first, 'restores');
  await first.stop();
  cpSync(after, before, { recursive: true });
  // The operator has changed the signing key since then; the state knows the older one.
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(path.join(after, files.signingKey), privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const second = await startService(after);
  await endRights(second, rights);
  await second.stop();
}, 240_000);
beforeEach(() => {
  dataDir = temporaryDataDir();
});
afterEach(() => removeDataDir(dataDir));
afterAll(() => {
  removeDataDir(before);
  removeDataDir(after);
});

function restore(older: readonly Part[]): void {
  cpSync(after, dataDir, { recursive: true });
  for (const file of older.flatMap((part) => PARTS[part])) {
    rmSync(path.join(dataDir, file), { recursive: true, force: true });
    cpSync(path.join(before, file), path.join(dataDir, file), { recursive: true });
  }
}

/** Returns the message of a refused start, or null if it started. `during` runs while the service does. */
async function start(
  during: (service: Awaited<ReturnType<typeof startService>>) => Promise<void>,
): Promise<string | null> {
  try {
    const service = await startService(dataDir);
    try {
      await during(service);
    } finally {
      await service.killTree();
    }
    return null;
  } catch (error) {
    if (error instanceof StartFailed) return error.failure.output;
    throw error;
  }
}

describe('restoring older stores', () => {
  test.each(MIXED)('%j: no ended right works again', async (older, outcome) => {
    restore(older);
    let found: unknown = null;
    const refusal = await start(async (service) => {
      const answers = await answersTo(service, rights);
      const client = customerClient(service.url, rights.account.key);
      const status = await eventually(`a ledger that is ${String(outcome)}`, WITHIN_MS, async () => {
        const verified = await verifyChain(client);
        return verified.status === outcome ? verified.status : undefined;
      });
      found = { answers, status };
    });
    if (outcome instanceof RegExp) expect(refusal).toMatch(outcome);
    else expect([refusal, found]).toEqual([null, { answers: ALL_ENDED, status: outcome }]);
  });
});

test('an older state that lacks only the end of a session is rejected', async () => {
  restore([]);
  const { account } = rights;
  const kept = `${path.join(dataDir, files.state)}.kept`;
  let headers = {};
  await start(async ({ url, stop }) => {
    const { token, csrfToken } = await signIn(url, account.email);
    headers = { cookie: `cas_session=${token}`, 'x-csrf-token': csrfToken };
    await stop();
  });
  cpSync(path.join(dataDir, files.state), kept, { recursive: true });
  await start(async ({ url, stop }) => {
    const client = customerClient(url, account.key);
    const { treeSize } = await verifyChain(client);
    await createClient(url, headers).request('DELETE', '/sessions');
    await folded(client, treeSize + 1);
    await stop();
  });
  rmSync(path.join(dataDir, files.state), { recursive: true });
  cpSync(kept, path.join(dataDir, files.state), { recursive: true });
  expect(await start(async () => undefined)).toMatch(
    new RegExp(`ended sessions of customer ${account.id} .ledger 2, state 1.`),
  );
}, 120_000);
