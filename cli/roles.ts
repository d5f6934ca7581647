import type { Command } from 'commander';
import { ROLES, type RoleName } from '#platform/config/roles.ts';
import { createLifecycle, leaveOnSignal } from '#platform/process/lifecycle.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { getMetrics, getReady } from '#schemas/endpoints.ts';
import type { SettingsReader } from './command/settings.ts';

/** Within the 30 seconds that container platforms allow by default. */
const DRAIN_LIMIT_MS = 25_000;

const DESCRIPTIONS: Readonly<Record<RoleName, string>> = {
  api: 'run the HTTP interface alone (distributed)',
  analyzer: 'run one analyzer alone (distributed); any number share the work',
  sink: 'run one sink alone (distributed); any number share the work',
  correlator: 'run one correlator alone (distributed); any number share the work',
};

/** `cas api`, `cas analyzer`, `cas sink`, `cas correlator`: one role in this process. */
export function roleCommands(program: Command, settings: SettingsReader): void {
  for (const role of ROLES) {
    program
      .command(role)
      .description(DESCRIPTIONS[role])
      .action(async () => {
        const read = settings(role);
        if (read.profile === 'embedded') throw new Error(`${role} was given settings that it must refuse`);
        // Imported here, or every command would load all services without needing them.
        const { startRole } = await import('#app/role.ts');
        const logger = createLogger(read.logLevel).child({ role });
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
  }
}
