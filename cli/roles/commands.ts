import type { Command } from 'commander';
import { createLifecycle, leaveOnSignal } from '../../platform/runtime/lifecycle.ts';
import { createLogger } from '../../platform/runtime/logger.ts';
import type { SettingsReader } from '../settings.ts';
import { ROLES, type RoleName, requireNeeds } from './needs.ts';

/** Within the 30 seconds that container platforms give by default. */
const DRAIN_LIMIT_MS = 25_000;

const DESCRIPTIONS: Readonly<Record<RoleName, string>> = {
  api: 'run the HTTP interface alone, on real parts',
  analyzer: 'run one analyzer alone, on real parts; any number share the work',
  sink: 'run one sink alone, on real parts; any number share the work',
};

/** `cas api`, `cas analyzer`, `cas sink`: one role in this process. */
export function roleCommands(program: Command, settings: SettingsReader): void {
  for (const role of ROLES) {
    program
      .command(role)
      .description(DESCRIPTIONS[role])
      .action(async () => {
        const read = settings();
        requireNeeds(role, read);
        // Only here: the other commands would load all services, and none of them needs one.
        const { startRole } = await import('./role.ts');
        const logger = createLogger(read.logLevel).child({ role });
        const lifecycle = createLifecycle(logger);
        leaveOnSignal(lifecycle, logger, DRAIN_LIMIT_MS);
        const { url, adminUrl } = await startRole(role, read, lifecycle, logger).catch(
          async (error: unknown) => {
            await lifecycle.stop();
            throw error;
          },
        );
        const health = { health: `${adminUrl}/health/ready`, metrics: `${adminUrl}/metrics` };
        logger.info({ url, ...health }, 'ready');
        process.send?.({ ready: url, admin: adminUrl });
      });
  }
}
