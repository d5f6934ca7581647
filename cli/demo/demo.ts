import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import type { Settings } from '#platform/config/settings.ts';
import { serviceUrl } from '../command/client.ts';
import { addExamples } from '../command/help.ts';
import { Interrupted, interruption } from '../command/interruption.ts';
import type { SettingsReader } from '../command/settings.ts';
import { fillWorkspace } from './fill.ts';
import { runTour } from './run-tour.ts';
import { type RunningService, startServiceIfNone } from './service.ts';

type Demo = (settings: Settings, service: RunningService, interrupted: Promise<never>) => Promise<boolean>;

async function inFolder(
  settings: Settings,
  service: RunningService,
  interrupted: Promise<never>,
): Promise<boolean> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cas-demo-'));
  try {
    return await Promise.race([interrupted, runTour(settings, service, folder)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `cas demo`, with the running service or one that it starts. The exit code is 0 when every figure added up. */
export function demoCommand(program: Command, settings: SettingsReader): void {
  const runDemo = async (show: Demo): Promise<void> => {
    const read = settings();
    const interrupted = interruption();
    const service = await startServiceIfNone(read, serviceUrl(read), interrupted);
    try {
      process.exitCode = (await show(read, service, interrupted)) ? 0 : 1;
    } finally {
      await service.stop();
    }
  };
  const run = (show: Demo) => async (): Promise<void> => {
    try {
      await runDemo(show);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      // The interrupted step would go on for a while.
      process.exit(process.exitCode ?? error.exitCode);
    }
  };
  const demo = program
    .command('demo')
    .description('fill the demo workspace with 30 days of examples')
    .action(run(fillWorkspace));
  const tour = demo
    .command('tour')
    .description('take a guided tour with its own customer; every step is checked')
    .action(run(inFolder));
  addExamples(tour, [['cas demo tour']]);
}
