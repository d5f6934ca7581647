import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from '../../deploy/local/processes.ts';

const PREFIX = 'cas-real-';

/** A folder of this process; what runs that were broken off left behind is removed. */
export function makeRunFolder(): string {
  for (const entry of readdirSync(os.tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(entry)?.[1];
    if (owner !== undefined && !isAlive(Number(owner)))
      rmSync(path.join(os.tmpdir(), entry), { recursive: true, force: true });
  }
  return mkdtempSync(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
}
