import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../../platform/sealing/port.ts';
import { TRIPLETS } from '../../../schemas/topics.ts';
import { createAnalyzer } from '../../analyzer/pipeline.ts';
import type { Harness } from './harness.ts';

/** The analyzer over the harness' log: each call appends the signals of the triplets that are new. */
export function analyzerOf(harness: Harness): () => Promise<void> {
  const { codec, now, sandboxVersions } = harness.parts;
  const keyring = harness.parts.keyring as Keyring;
  const analyzer = createAnalyzer({
    codec,
    keyring: { open: keyring.open, seal: keyring.seal },
    sandboxVersions,
    now,
    clock: () => performance.now(),
    randomBytes,
    faults: [],
  });
  let done = 0;
  return async () => {
    const records = harness.log.of(TRIPLETS.name).slice(done);
    done += records.length;
    if (records.length === 0) return;
    const batch = { topic: TRIPLETS.name, partition: 0, records, nextOffset: 0, end: 0 };
    const outcomes = await analyzer.process(batch, {
      signal: new AbortController().signal,
      oneByOne: false,
    });
    for (const outcome of outcomes) {
      if (outcome.kind !== 'ok') throw new Error(`an analysis ended with ${outcome.kind}`);
      await harness.log.append(outcome.forward ?? []);
    }
  };
}
