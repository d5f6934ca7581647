import { rmSync } from 'node:fs';
import { rememberedServerSet, rememberServerSet } from './server-set.ts';

/** Kills the servers: their data is discarded, so they need no clean shutdown. */
export default async function stopServers(): Promise<void> {
  const set = rememberedServerSet();
  if (set === undefined) return;
  rememberServerSet(undefined);
  await Promise.all(set.servers.map((server) => server.kill()));
  rmSync(set.folder, { recursive: true, force: true });
}
