import { rmSync } from 'node:fs';
import { heldServerSet, holdServerSet } from './server-set.ts';

/** Their data are discarded, so there is no need for a clean shutdown. */
export default async function stopServers(): Promise<void> {
  const set = heldServerSet();
  if (set === undefined) return;
  holdServerSet(undefined);
  await Promise.all(set.servers.map((server) => server.kill()));
  rmSync(set.folder, { recursive: true, force: true });
}
