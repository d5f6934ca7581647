import type { Command } from 'commander';
import { warnMisspelled } from '#app/warn-misspelled.ts';
import { ROLES, type RoleName } from '#platform/config/roles.ts';
import { createLifecycle, leaveOnSignal } from '#platform/process/lifecycle.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { getMetrics, getReady } from '#schemas/endpoints.ts';
import { addExamples } from './command/help.ts';
import { openLogs } from './command/logs.ts';
import type { SettingsReader } from './command/settings.ts';

/** Below the 30 seconds that container platforms allow by default. */
const DRAIN_LIMIT_MS = 25_000;

const SUMMARIES: Readonly<Record<RoleName, string>> = {
  api: 'run one API server (distributed)',
  analyzer: 'run one analyzer (distributed)',
  sink: 'run one sink (distributed)',
  correlator: 'run one correlator (distributed)',
};

const DESCRIPTIONS: Readonly<Record<RoleName, string>> = {
  api: 'Run one API server of a distributed installation.',
  analyzer: 'Run one analyzer of a distributed installation. Analyzers share the partitions.',
  sink: 'Run one sink of a distributed installation. Sinks share the partitions.',
  correlator: 'Run one correlator of a distributed installation. Correlators share the partitions.',
};

/** `cas api`, `cas analyzer`, `cas sink`, `cas correlator`: runs one role in this process. */
export function roleCommands(program: Command, settings: SettingsReader): void {
  for (const role of ROLES) {
    const command = program
      .command(role)
      .summary(SUMMARIES[role])
      .description(DESCRIPTIONS[role])
      .action(async () => {
        const read = settings(role);
        if (read.profile === 'embedded')
          throw new Error(`cas ${role} needs the settings of a distributed installation`);
        // Imported here so that other commands do not load all services.
        const { startRole } = await import('#app/role.ts');
        const logger = createLogger(read.logLevel, openLogs(read).output).child({ role });
        warnMisspelled(logger, read.misspelled);
        const lifecycle = createLifecycle(logger);
        leaveOnSignal(lifecycle, logger, DRAIN_LIMIT_MS);
        const { url, adminUrl } = await startRole(role, read, lifecycle, logger).catch(
          async (error: unknown) => {
            await lifecycle.stop();
            throw error;
          },
        );
        const health = { health: adminUrl + getReady.path, metrics: adminUrl + getMetrics.path };
        logger.info({ url, ...health }, 'ready');
        process.send?.({ ready: url, admin: adminUrl });
      });
    addExamples(command, [
      ['cas migrate', 'once, and at each upgrade'],
      [`cas ${role}`],
      [`cas config --role ${role}`, 'check its settings'],
    ]);
  }
}
