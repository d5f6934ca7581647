import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiledModule } from '#platform/config/package-root.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Endpoint } from '#schemas/api/openapi/request.ts';
import { getLive, getReady } from '#schemas/endpoints.ts';
import { adminUrl, createClient } from '../../command/client.ts';
import { print } from '../../command/output.ts';

export interface RunningService {
  readonly baseUrl: string;
  readonly startedHere: boolean;
  stop(): Promise<void>;
}

/** A busy machine takes its time to start the warehouse. */
const READY_WITHIN_MS = 120_000;
const POLL_MS = 100;

const answers = async (baseUrl: string, endpoint: Endpoint): Promise<boolean> =>
  createClient(baseUrl)
    .call<Endpoint>(endpoint)
    .then(
      () => true,
      () => false,
    );

async function waitUntilReady(healthUrl: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await answers(healthUrl, getReady))) {
    if (child.exitCode !== null) throw new Error('the service did not start; its messages stand above');
    if (Date.now() > deadline)
      throw new Error(`the service was not ready within ${READY_WITHIN_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Uses the service that answers at `baseUrl`; when none does, starts one on the settings' data folder. */
export async function startServiceIfNone(settings: Settings, baseUrl: string): Promise<RunningService> {
  if (await answers(baseUrl, getLive)) {
    print(`Using the service at ${baseUrl}.`);
    return { baseUrl, startedHere: false, stop: async () => undefined };
  }
  print(`No service answers at ${baseUrl}; starting one on ${settings.dataDir}.`);
  const child = spawn(process.execPath, [compiledModule('cli/main.ts'), 'start', '--quiet'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { LOG_LEVEL: 'warn', ...process.env },
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  try {
    await waitUntilReady(adminUrl(settings), child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { baseUrl, startedHere: true, stop };
}
