import { randomBytes } from 'node:crypto';
import type { StoringDependencies } from '#platform/process/dependencies.ts';
import type { ServiceContext } from '#platform/process/service-context.ts';
import type { Stream } from '#platform/stream/run-stream.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import { stateEpoch } from '#records/epoch/epoch.ts';
import { PATTERNS_GROUP, runPatterns } from './patterns/run-patterns.ts';
import { POLICIES_GROUP, runPolicies } from './policies/run-policies.ts';

/** The two groups of a correlator. */
interface CorrelatorStreams {
  readonly policies: Stream;
  readonly patterns: Stream;
}

/** Approximate memory for customers' patterns; in one process tree with everything else there is less room. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_BYTES_EMBEDDED = 96 * 1024 * 1024;

/** Starts a correlator, which runs until the lifecycle stops it. */
export async function startCorrelator(
  options: ServiceContext<StoringDependencies>,
): Promise<CorrelatorStreams> {
  const { dependencies, lifecycle, logger, metrics, now, settings } = options;
  const { state } = dependencies;
  const epochNow = async (): Promise<number | null> => (await stateEpoch(state))?.epoch ?? null;
  const shared = { ...dependencies, epochNow, now, logger };
  const policies = await runPolicies({
    ...shared,
    makeEntry: entryMaker({ ...dependencies, randomBytes }),
    metrics: metrics.stream(POLICIES_GROUP),
    onBreach: metrics.policies.breach,
  });
  lifecycle.add('policies', policies.stop);
  const patterns = await runPatterns({
    ...shared,
    maxBytes: settings.profile === 'embedded' ? MAX_BYTES_EMBEDDED : MAX_BYTES,
    metrics: metrics.stream(PATTERNS_GROUP),
  });
  lifecycle.add('patterns', patterns.stop);
  return { policies, patterns };
}
