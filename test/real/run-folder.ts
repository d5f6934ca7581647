import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from '../../deploy/local/server/processes.ts';

/** A folder for this process; leftovers of aborted runs are removed. */
export function makeRunFolder({ parent = os.tmpdir(), prefix = 'cas-real-' } = {}): string {
  for (const entry of readdirSync(parent)) {
    const owner = new RegExp(`^${prefix}(\\d+)-`).exec(entry)?.[1];
    if (owner !== undefined && !isAlive(Number(owner)))
      rmSync(path.join(parent, entry), { recursive: true, force: true });
  }
  return mkdtempSync(path.join(parent, `${prefix}${process.pid}-`));
}
