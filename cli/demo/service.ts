import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiledModule } from '#platform/config/package-root.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Endpoint } from '#schemas/api/openapi/request.ts';
import { getLive, getReady } from '#schemas/endpoints.ts';
import { adminUrl, createClient } from '../command/client.ts';
import { print } from '../command/output.ts';
import { waitFor } from './tour.ts';

export interface RunningService {
  readonly baseUrl: string;
  readonly startedHere: boolean;
  stop(): Promise<void>;
}

const answers = async (baseUrl: string, endpoint: Endpoint): Promise<boolean> =>
  createClient(baseUrl)
    .call<Endpoint>(endpoint)
    .then(
      () => true,
      () => false,
    );

/** Uses the service at `baseUrl`; if none answers, starts one on the settings' data folder, unless interrupted. */
export async function startServiceIfNone(
  settings: Settings,
  baseUrl: string,
  interrupted: Promise<never>,
): Promise<RunningService> {
  if (await answers(baseUrl, getLive)) {
    print(`Using the service at ${baseUrl}.`);
    return { baseUrl, startedHere: false, stop: async () => undefined };
  }
  print(`No service answers at ${baseUrl}; starting one on ${settings.dataDir}.`);
  const child = spawn(process.execPath, [compiledModule('cli/main.ts'), 'start', '--quiet'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    // Ctrl-C ends only the demo, which still needs the service to clean up.
    detached: true,
    env: { LOG_LEVEL: 'warn', ...process.env },
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  try {
    const isReady = waitFor('the service is ready', async () => {
      if (child.exitCode !== null) throw new Error('the service did not start; see its messages above');
      return (await answers(adminUrl(settings), getReady)) ? true : null;
    });
    await Promise.race([interrupted, isReady]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { baseUrl, startedHere: true, stop };
}
