import { execFile } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { compiledModule } from '#platform/config/package-root.ts';
import type { Answer } from '../../command/client.ts';
import { type Desk, tell } from '../steps/desk.ts';

/** Keeps an answer in a file; returns its path. */
export function keep({ folder }: Desk, name: string, answer: Answer): string {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(answer.body));
  return file;
}

/** Downloads to a file of the folder; returns its path. */
export async function download(
  { client, headers, folder }: Desk,
  from: string,
  name: string,
): Promise<string> {
  const response = await fetch(`${client.baseUrl}${from}`, { headers });
  if (!response.ok || response.body === null) throw new Error(`${from} answered ${response.status}`);
  const file = path.join(folder, name);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(file));
  return file;
}

/**
 * Runs `cas verify` on a file in a process of its own, which knows no address of the service, and prints what it says;
 * whether it found everything right.
 */
export async function verifyOffline({ vkey }: Desk, file: string, from?: string): Promise<boolean> {
  const older = from === undefined ? [] : ['--from', from];
  const command = [compiledModule('cli/main.ts'), 'verify', file, '--key', vkey, ...older];
  tell(
    `$ cas verify ${[path.basename(file), ...older.map((word) => path.basename(word))].join(' ')} --key …`,
  );
  try {
    const { stdout } = await promisify(execFile)(process.execPath, command);
    for (const line of stdout.trimEnd().split('\n')) tell(`  ${line}`);
    return true;
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr || error).trimEnd();
    for (const line of said.split('\n')) tell(`  ${line}`);
    return false;
  }
}
