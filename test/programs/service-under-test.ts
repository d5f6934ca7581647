import { BroadcastChannel } from 'node:worker_threads';
import type { EmbeddedComposition } from '#app/composition.ts';
import { limitHeapGrowth } from '#app/heap-growth.ts';
import { startRole } from '#app/role.ts';
import { start } from '#app/start.ts';
import { ROLES } from '#platform/config/roles.ts';
import { readSettings } from '#platform/config/settings.ts';
import { createLifecycle, leaveOnSignal } from '#platform/process/lifecycle.ts';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import { killEngine } from '#platform/warehouse/embedded/testing/kill-engine.ts';
import { greet } from '../../cli/start-greeting.ts';
import { openScreen } from '../../cli/start-screen.ts';
import { COMMANDS, type Command, compositionOf } from './injected.ts';
import { type RefusingState, refusing } from './refusing-state.ts';

const DRAIN_LIMIT_MS = 25_000;

/** Components of an embedded service that fail on command. */
function failingParts(): EmbeddedComposition & { readonly obey: (command: Command) => Promise<void> } {
  let state: RefusingState;
  let engine: EmbeddedWarehouse;
  let downUntil = 0;
  const commands = new BroadcastChannel(COMMANDS);
  commands.unref();
  return {
    openState: async (options) => {
      state = refusing(await openEmbeddedState(options));
      return state;
    },
    startEngine: async (options) => {
      // The engine restarts at once, so it is killed again before it answers anything.
      const onUp = (): void => {
        if (performance.now() < downUntil) void killEngine(engine);
      };
      engine = await startEmbeddedWarehouse({ ...options, onUp });
      return engine;
    },
    obey: async (command) => {
      if (command.refuseState !== undefined) state.refuseFor(command.refuseState);
      if (command.keepWarehouseDown !== undefined) {
        downUntil = performance.now() + command.keepWarehouseDown;
        await killEngine(engine);
      }
      if (command.endPipeline !== undefined) commands.postMessage(command);
    },
  };
}

/** Like `cas start`, with or without `--quiet`. */
async function startEmbedded(): Promise<void> {
  const settings = readSettings(process.env);
  if (settings.profile !== 'embedded') throw new Error('the embedded profile was asked for');
  limitHeapGrowth();
  const { obey, ...parts } = failingParts();
  const pipelineModule = 'test/programs/pipeline-under-test.ts';
  const addresses = await start(settings, {
    ...parts,
    ...compositionOf(process.env),
    pipelineModule,
  });
  if (!process.argv.includes('--quiet')) await greet(openScreen(process.stdout), settings, addresses);
  process.on('message', (command: Command) => {
    void obey(command).then(() => process.send?.({ received: true }));
  });
  // A listener keeps the channel open, and an open channel would keep a stopped process alive.
  process.channel?.unref();
  process.send?.({ ready: addresses.url, admin: addresses.adminUrl });
}

/** Like `cas ROLE`. */
async function startOne(role: (typeof ROLES)[number]): Promise<void> {
  const settings = readSettings(process.env, role);
  if (settings.profile !== 'distributed') throw new Error('the distributed profile was asked for');
  const logger = createLogger(settings.logLevel).child({ role });
  const lifecycle = createLifecycle(logger);
  leaveOnSignal(lifecycle, logger, DRAIN_LIMIT_MS);
  const { url, adminUrl } = await startRole(role, settings, lifecycle, logger, compositionOf(process.env));
  process.send?.({ ready: url, admin: adminUrl });
}

/**
 * The service, composed as `cas` does it (`cli/start.ts`, `cli/roles.ts`), plus what tests inject (`injected.ts`). The
 * first argument is the command.
 */
process.umask(0o077);
const [command] = process.argv.slice(2);
const role = ROLES.find((name) => name === command);
await (role === undefined ? startEmbedded() : startOne(role));
