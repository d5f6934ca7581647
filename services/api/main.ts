import { v7 } from 'uuid';
import { warmUpInSteps } from '../../core/detect/warm-up.ts';
import type { Announce } from '../../platform/directory/ledger-events.ts';
import { flushOutbox } from '../../platform/outbox/flush.ts';
import { startSweeper } from '../../platform/outbox/sweeper.ts';
import type { ApiKeys } from '../../platform/runtime/keys.ts';
import type { Metrics } from '../../platform/runtime/metrics.ts';
import { isEmbedded, type StoringParts } from '../../platform/runtime/parts.ts';
import type { ServiceContext } from '../../platform/runtime/service-context.ts';
import { takeStepsBeside, timeSlice } from '../../platform/runtime/time-slice.ts';
import { createRandomPool } from '../../platform/sealing/random-pool.ts';
import { type State, SYSTEM_SCOPE } from '../../platform/state/port.ts';
import { startArchiver } from './jobs/archive-versions.ts';
import { startEraser } from './jobs/erase-customers.ts';
import { type ApiAddresses, listen } from './listeners.ts';
import type { ApiParts } from './parts.ts';
import { createBodyBudget } from './plugins/body-budget.ts';
import { installBodyMetrics } from './plugins/http-metrics.ts';
import { countRequests } from './requests-under-way.ts';
import { entryMaker } from './use-cases/ledger-entries.ts';

const LEDGER_ORIGIN = 'compliance-audit-service';
const REQUEST_TIMEOUT_MS = 30_000;
/** Each takes 11 KB of memory, and up to 26 with half a head, before anybody knows who sends it. */
const MAX_CONNECTIONS = 8_000;
const REFUSAL_PAUSE_MS = 1_000;
const PROBE_PAUSE_MS = 250;
const UUID_RANDOM_BYTES = 16;

/** When the signing key was first used, ISO 8601: noted in the state at its first start. */
async function signingKeySince(state: State, keyId: string, now: number): Promise<string> {
  const ref = { scope: SYSTEM_SCOPE, collection: 'signingKeys', id: keyId };
  const value = { since: new Date(now).toISOString() };
  await state.documents.write(ref.scope, [{ ...ref, expectedVersion: 0, value }]);
  return (await state.documents.get<{ since: string }>(ref))?.value.since ?? value.since;
}

/** Starts the HTTP service and the sweeper of its outbox; resolves to its addresses. */
export async function startApi(
  options: ServiceContext<StoringParts> &
    Pick<ApiParts, 'readiness' | 'onStored' | 'epoch'> & {
      readonly keys: ApiKeys;
      readonly metrics: Metrics;
    },
): Promise<ApiAddresses> {
  const { parts, keys, settings, lifecycle, logger, now, crashPoint } = options;
  const randomBytes = createRandomPool();
  const outbox = { documents: parts.state.documents, log: parts.log };
  const sweeper = startSweeper({ ...outbox, logger });
  lifecycle.add('outbox sweeper', sweeper.stop);

  // What this misses (the log is down, the process dies) is the sweeper's.
  const announce: Announce = (ref) => {
    flushOutbox(outbox, ref).catch((error: unknown) => logger.debug({ err: error }, 'left to the sweeper'));
  };
  // On embedded parts no other process serves requests.
  const requests = isEmbedded(settings) ? countRequests() : null;
  const eraser = startEraser({
    ...parts,
    ...(requests === null ? {} : { isUnderWay: requests.isUnderWay }),
    documents: parts.state.documents,
    makeEntry: entryMaker({ ...parts, randomBytes }),
    announce,
    now,
    logger,
    crashPoint,
  });
  lifecycle.add('erasure of customers', eraser.stop);

  const archiver = startArchiver({ ...parts, now, logger });
  lifecycle.add('archive of sandbox versions', archiver.stop);

  const bodyBudget = createBodyBudget(settings.bodyBudgetBytes);
  installBodyMetrics(options.metrics.registry, bodyBudget);
  const addresses = await listen(settings, lifecycle, {
    ...parts,
    ...keys,
    now,
    newId: (at) => v7({ msecs: at, random: randomBytes(UUID_RANDOM_BYTES) }),
    randomBytes,
    readiness: options.readiness,
    ...(requests === null ? {} : { requests }),
    epoch: options.epoch,
    ...(options.onStored === undefined ? {} : { onStored: options.onStored }),
    metrics: options.metrics.registry,
    bodyBudget,
    logger,
    crashPoint,
    announce,
    settings: {
      keyHeader: settings.keyHeader,
      ledgerOrigin: LEDGER_ORIGIN,
      signingKeySince: await signingKeySince(parts.state, keys.signingKey.keyId, now()),
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      maxConnections: MAX_CONNECTIONS,
      refusalPauseMs: REFUSAL_PAUSE_MS,
      probePauseMs: PROBE_PAUSE_MS,
      trustedProxies: settings.trustedProxies,
    },
  });
  // The first scans would otherwise wait for patterns to be compiled.
  const stopWarmUp = takeStepsBeside(
    warmUpInSteps(),
    timeSlice(() => performance.now()),
  );
  lifecycle.add('warm-up', stopWarmUp);
  return addresses;
}
