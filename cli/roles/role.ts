import { hostCheck } from '../../platform/runtime/allowed-hosts.ts';
import { createCrashPoint } from '../../platform/runtime/crash-point.ts';
import { agreeOnEpoch } from '../../platform/runtime/epoch.ts';
import { startHealthServer } from '../../platform/runtime/health-server.ts';
import { loadApiKeys } from '../../platform/runtime/keys.ts';
import { type LedgerWatch, watchLedger } from '../../platform/runtime/ledger-watch.ts';
import type { Lifecycle } from '../../platform/runtime/lifecycle.ts';
import type { Logger } from '../../platform/runtime/logger.ts';
import { createMetrics, type Metrics } from '../../platform/runtime/metrics.ts';
import { refuseOlderState } from '../../platform/runtime/older-state.ts';
import { chooseParts, openParts, type PartOpeners, type StoringParts } from '../../platform/runtime/parts.ts';
import { type Pings, readinessOf } from '../../platform/runtime/readiness.ts';
import type { ServiceContext } from '../../platform/runtime/service-context.ts';
import type { Settings } from '../../platform/runtime/settings.ts';
import { watchForStall } from '../../platform/runtime/stall-watch.ts';
import type { Stream } from '../../platform/stream/run-stream.ts';
import { startAnalyzer } from '../../services/analyzer/main.ts';
import type { ApiAddresses } from '../../services/api/listeners.ts';
import { startApi } from '../../services/api/main.ts';
import { checkPositions, startSink } from '../../services/sink/main.ts';
import { newId } from '../new-id.ts';
import type { RoleName } from './needs.ts';

const STALL_CHECK_MS = 5_000;
const STALL_LIMIT_MS = 120_000;

type RoleContext = ServiceContext & { readonly metrics: Metrics };

interface RoleParts {
  readonly context: RoleContext;
  readonly openers: PartOpeners;
}

/** Starts one role on real parts; resolves to where it listens and where it says how it is. */
export async function startRole(
  role: RoleName,
  settings: Settings,
  lifecycle: Lifecycle,
  logger: Logger,
): Promise<ApiAddresses> {
  const now = Date.now;
  const options = { settings, lifecycle, logger, now, role };
  const openers = await chooseParts(options);
  const parts = await openParts(openers, options);
  const crashPoint = createCrashPoint(settings.crashAt);
  const context = { parts, settings, lifecycle, logger, metrics: createMetrics(), now, crashPoint };
  return START[role]({ context, openers });
}

const START: Readonly<Record<RoleName, (role: RoleParts) => Promise<ApiAddresses>>> = {
  api: async ({ context, openers }) => {
    const { parts, epoch, ledger } = await withWarehouse(context, openers);
    const keys = loadApiKeys(context.settings);
    const { log, state, warehouse } = parts;
    const readiness = readinessOf({ log, state, warehouse }, {}, { ledger: ledger.check });
    return startApi({ ...context, parts, epoch, keys, readiness });
  },
  analyzer: async ({ context }) => {
    const { log, state } = context.parts;
    return serveHealth(context, { log, state }, { analyzer: await startAnalyzer(context) });
  },
  sink: async ({ context, openers }) => {
    const { parts, epoch, ledger } = await withWarehouse(context, openers);
    const { log, state, warehouse } = parts;
    const sink = await startSink({ ...context, parts, epoch });
    return serveHealth(context, { log, state, warehouse }, { sink }, { ledger: ledger.check });
  },
};

/** Opens the warehouse too, and makes sure that it belongs to the log and the state before anything is done. */
async function withWarehouse(
  { parts, now, lifecycle, logger }: ServiceContext,
  openers: PartOpeners,
): Promise<{ parts: StoringParts; epoch: number; ledger: LedgerWatch }> {
  const all: StoringParts = { ...parts, warehouse: await openers.warehouse() };
  const epoch = await agreeOnEpoch({ ...all, now, newId }, { initialise: false });
  await checkPositions(all, epoch);
  await refuseOlderState(all);
  const ledger = watchLedger({ ...all, logger });
  lifecycle.add('comparison of state and ledger', ledger.stop);
  return { parts: all, epoch, ledger };
}

async function serveHealth(
  { settings, lifecycle, logger, metrics }: RoleContext,
  pings: Pings,
  streams: Readonly<Record<string, Stream>>,
  checks: Parameters<typeof readinessOf>[2] = {},
): Promise<ApiAddresses> {
  for (const stream of Object.values(streams)) {
    const giveUp = (): void => void lifecycle.stop().then(() => process.exit(1));
    const limits = { checkMs: STALL_CHECK_MS, limitMs: STALL_LIMIT_MS };
    lifecycle.add(
      'stall watch',
      watchForStall({ stream, logger, clock: () => performance.now(), giveUp, ...limits }),
    );
  }
  const { adminHost: host, healthPort: port } = settings;
  const readiness = readinessOf(pings, streams, checks);
  const server = await startHealthServer({
    host,
    port,
    readiness,
    metrics: metrics.registry,
    isAllowedHost: hostCheck(host, settings.allowedHosts),
    now: Date.now,
  });
  lifecycle.add('health server', () => server.close());
  return { url: server.url, adminUrl: server.url };
}
