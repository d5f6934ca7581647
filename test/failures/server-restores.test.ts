import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '#jest';
import type { ServerName } from '../../deploy/local/server-names.ts';
import { customerClient } from '../helpers/customer.ts';
import { type DistributedService, startDistributed } from '../helpers/distributed.ts';
import { eventually } from '../helpers/eventually.ts';
import { verifyChain } from '../helpers/final-state.ts';
import { ALL_ENDED, answersTo, endRights, makeRights, type Rights } from '../helpers/revoked-rights.ts';
import { describeOnStack, startTestStack, type TestStack } from '../helpers/stack.ts';
import { LIMIT_MS } from './loaded-service.ts';
import { MIXED, STATE_OLDER } from './mixed-backups.ts';

/**
 * The same mixed backups on real servers, as copies of their volumes. Keys and packages are files of the service in
 * this set-up too, so those cases are not repeated.
 */

const VOLUMES = { state: 'redis', log: 'kafka', warehouse: 'clickhouse' } as const;
type Volume = keyof typeof VOLUMES;
/** `cas migrate` runs first in this set-up and checks the state before any service checks the log. */
const ON_SERVERS = MIXED.filter(([older]) => older.every((part) => part in VOLUMES)).map(
  ([older, outcome]) => [older, older.includes('state') ? STATE_OLDER : outcome] as const,
);
/** Belongs to the running process, not to its data. */
const OF_PROCESS = 'server.json';
const WITHIN_MS = 60_000;

describeOnStack('restored server volumes', () => {
  let stack: TestStack;
  let rights: Rights;
  let running: DistributedService | undefined;

  const start = async (): Promise<DistributedService> => {
    running = await startDistributed({
      settings: { ...stack.settings, PACKAGES_DIR: path.join(stack.folder, 'packages') },
      analyzers: 1,
      sinks: 1,
    });
    return running;
  };
  const forVolumes = async (work: (server: ServerName, volume: Volume) => unknown): Promise<void> => {
    await Promise.all(
      Object.entries(VOLUMES).map(async ([volume, server]) => work(server, volume as Volume)),
    );
  };
  const copyOf = (when: 'before' | 'after', server: ServerName): string =>
    path.join(stack.folder, when, server);
  const keep = (when: 'before' | 'after'): Promise<void> =>
    forVolumes(async (server) => {
      await stack.servers[server].stop();
      cpSync(path.join(stack.folder, server), copyOf(when, server), { recursive: true });
    });
  const putBack = (older: readonly string[]): Promise<void> =>
    forVolumes(async (server, volume) => {
      await stack.servers[server].kill();
      const folder = path.join(stack.folder, server);
      for (const name of readdirSync(folder))
        if (name !== OF_PROCESS) rmSync(path.join(folder, name), { recursive: true });
      const kept = copyOf(older.includes(volume) ? 'before' : 'after', server);
      cpSync(kept, folder, { recursive: true, filter: (file) => path.basename(file) !== OF_PROCESS });
      await stack.servers[server].restart();
    });

  beforeAll(async () => {
    stack = await startTestStack();
    const first = await start();
    rights = await makeRights(first, 'restores');
    expect(await first.stop()).toBe(0);
    await keep('before');
    await forVolumes((server) => stack.servers[server].restart());
    const second = await start();
    await endRights(second, rights);
    expect(await second.stop()).toBe(0);
    await keep('after');
  }, LIMIT_MS);
  afterEach(() => running?.killTree());
  afterAll(async () => {
    await running?.killTree();
    await stack?.stop();
  }, LIMIT_MS);

  test.each(ON_SERVERS)(
    'restoring older %j: no ended right works again',
    async (older, outcome) => {
      await putBack(older);
      const service = await start().catch((error: Error) => error.message);
      if (typeof service === 'string') {
        expect(outcome).toBeInstanceOf(RegExp);
        expect(service).toMatch(outcome);
        return;
      }
      const answers = await answersTo(service, rights);
      const client = customerClient(service.url, rights.account.key);
      const status = await eventually(`a ledger that is ${String(outcome)}`, WITHIN_MS, async () => {
        const verified = await verifyChain(client);
        return verified.status === outcome ? verified.status : undefined;
      });
      expect({ answers, status }).toEqual({ answers: ALL_ENDED, status: outcome });
    },
    LIMIT_MS,
  );
});
