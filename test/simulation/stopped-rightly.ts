import type { World } from './world-of-run.ts';

/**
 * Partitions (`topic/partition`) that a consumer reports as stopped, as it should: in a run with a customer whose texts
 * fail most texts are dead letters, and an older state may lack keys of what is in the log.
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
