import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { compiledModule } from '#platform/config/package-root.ts';
import { note, type Tour } from './tour.ts';

/** Saves bytes or a response in the tour's folder; returns the file. */
export function save({ folder }: Tour, name: string, content: Uint8Array | object): string {
  const file = path.join(folder, name);
  writeFileSync(file, content instanceof Uint8Array ? content : JSON.stringify(content));
  return file;
}

/**
 * Runs `cas verify` on a file in a process that does not know the service's address, and prints its output; returns
 * whether it accepted the file.
 */
export async function verifyOffline({ vkey }: Tour, file: string): Promise<boolean> {
  note(`$ cas verify ${path.basename(file)} --key …`);
  const verify = [compiledModule('cli/main.ts'), 'verify', file, '--key', vkey];
  const { said, accepted } = await promisify(execFile)(process.execPath, verify).then(
    ({ stdout }) => ({ said: stdout, accepted: true }),
    (error: { stderr?: string }) => ({ said: error.stderr || String(error), accepted: false }),
  );
  for (const line of said.trimEnd().split('\n')) note(`  ${line}`);
  return accepted;
}
