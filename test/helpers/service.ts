import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { type CasProcess, startCas } from './cas-process.ts';

/** The whole service, embedded, in one process tree. */
export interface TestService extends CasProcess {
  readonly dataDir: string;
  readonly internalSecret: string;
  /** Sends a test command to the service process, e.g. `{refuseState: 10000}`; resolves when it was received. */
  control(command: Record<string, number>): Promise<void>;
}

export const temporaryDataDir = (): string => mkdtempSync(path.join(os.tmpdir(), 'cas-test-'));
export const removeDataDir = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true });

/** Starts the compiled service, as a user would, on a free port; resolves when it is ready. */
export async function startService(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<TestService> {
  const started = await startCas(['start', '--quiet'], { DATA_DIR: dataDir, PORT: '0', ...environment });
  return {
    ...started,
    dataDir,
    internalSecret: readFileSync(dataFolder(dataDir).internalSecret, 'utf8').trim(),
    control: (command) => control(started.process, command),
  };
}

/** Sends a test command to a process of the service; resolves when it was received. */
export const control = (child: ChildProcess, command: Record<string, number>): Promise<void> =>
  new Promise((resolve, reject) => {
    const onMessage = (message: { received?: boolean }): void => {
      if (message.received !== true) return;
      child.off('message', onMessage);
      resolve();
    };
    child.on('message', onMessage);
    child.send(command, (error) => error !== null && reject(error));
  });
