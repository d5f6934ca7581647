import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedWarehouse } from '../process.ts';

const GONE_CHECK_MS = 2;

/** Kills the engine's process and resolves when its owner has noticed; the owner then restarts it. */
export async function killEngine(engine: EmbeddedWarehouse): Promise<void> {
  const pid = engine.pid();
  if (pid === null) return;
  process.kill(pid, 'SIGKILL');
  while (engine.pid() === pid) await sleep(GONE_CHECK_MS);
}
