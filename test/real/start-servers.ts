import path from 'node:path';
import { type LocalServer, startLocalServer } from '../../deploy/local/server/local-server.ts';
import { announceServer } from './addresses.ts';
import { makeRunFolder } from './run-folder.ts';
import { rememberServerSet } from './server-set.ts';
import { TEST_SERVER_NAMES, TEST_SERVERS, type TestServerName } from './test-servers.ts';

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/**
 * Starts every available real server and announces its address to the tests. Tests of an unavailable server are
 * skipped; with REQUIRE_REAL_SERVERS=1 or CI=true it aborts the run.
 */
export default async function startServers(): Promise<void> {
  const required = process.env.REQUIRE_REAL_SERVERS === '1' || process.env.CI === 'true';
  const folder = makeRunFolder();

  const startOne = async (name: TestServerName): Promise<LocalServer[]> => {
    const started = Date.now();
    try {
      const server = await startLocalServer(TEST_SERVERS[name], {
        folder: path.join(folder, name),
        report: say,
      });
      announceServer(name, { address: server.address });
      // Addresses contain passwords; the process id is enough to find the server.
      say(`real server ${name}: started in ${Date.now() - started} ms, process ${server.pid}`);
      return [server];
    } catch (error) {
      const reason = (error as Error).message;
      // Servers that are still starting end with this process.
      if (required)
        throw new Error(`real servers are required (REQUIRE_REAL_SERVERS=1 or CI=true): ${reason}`);
      announceServer(name, { missing: reason.split('\n', 1)[0] ?? '' });
      say(`real server ${name}: its tests are SKIPPED because ${reason}`);
      return [];
    }
  };
  const servers = await Promise.all(TEST_SERVER_NAMES.map(startOne));
  rememberServerSet({ folder, servers: servers.flat() });
}
