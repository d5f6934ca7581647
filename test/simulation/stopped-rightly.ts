import type { World } from './world-of-run.ts';

/**
 * Partitions (`topic/partition`) that a consumer stopped for a good reason: a customer with failing texts makes most
 * texts dead letters, and an older state may lack keys of records in the log.
 */
export function stoppedRightly({ supervisor, faults, restoredAt }: World): Set<string> {
  const mayFail = faults.counts.has('customer whose texts fail');
  const stops = supervisor.slots().flatMap(({ node }) => node?.stopped() ?? []);
  return new Set(
    stops
      .filter(
        ({ reason }) =>
          (restoredAt !== null && reason === 'SEALED') ||
          ((restoredAt !== null || mayFail) && reason === 'TOO_MANY_DEAD_LETTERS'),
      )
      .map(({ topic, partition }) => `${topic}/${partition}`),
  );
}
