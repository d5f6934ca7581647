import { randomBytes } from 'node:crypto';
import type { Stream } from '#platform/stream/run-stream.ts';
import type { StoringDependencies } from '#platform/wiring/dependencies.ts';
import { stateEpoch } from '#platform/wiring/epoch.ts';
import type { ServiceContext } from '#platform/wiring/service-context.ts';
import { entryMaker } from '#services/customers/entry-maker.ts';
import { POLICIES_GROUP, runCorrelator } from './run-correlator.ts';

/** Starts a correlator, which goes on until the lifecycle stops it. */
export async function startCorrelator(options: ServiceContext<StoringDependencies>): Promise<Stream> {
  const { dependencies, lifecycle, logger, metrics, now, crashPoint } = options;
  const { state } = dependencies;
  const stream = await runCorrelator({
    ...dependencies,
    makeEntry: entryMaker({ ...dependencies, randomBytes }),
    epochNow: async () => (await stateEpoch(state))?.epoch ?? null,
    now,
    logger,
    metrics: metrics.stream(POLICIES_GROUP),
    onBreach: metrics.policies.breach,
    crashPoint: (point) => crashPoint(`${POLICIES_GROUP}.${point}`),
  });
  lifecycle.add('correlator', stream.stop);
  return stream;
}
