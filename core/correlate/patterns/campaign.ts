import { sha256Hex } from '../../evidence/native-crypto.ts';
import type { Cluster } from '../state/clusters.ts';
import type { Counters } from '../state/counters.ts';
import { NEAR_BY_CHANCE, thresholdOf } from '../state/rules.ts';
import type { Window } from '../state/shapes.ts';
import { poissonTail } from '../statistics/tails.ts';
import type { Verdict } from './verdict.ts';

const KEY_DIGITS = 16;

/**
 * CAMPAIGN: attack prompts of a day that are near-duplicates of one of them. The number of near-duplicates by chance is
 * Poisson; any of the day's prompts may be that one, so its p-value is multiplied by their number (a union bound). The
 * key is a hash of the first prompt's fingerprint, which does not outlive the window or an erasure.
 */
export function campaignIn(
  counters: Counters,
  window: Window,
  { evidence, digits }: Cluster,
): Verdict | null {
  const { count } = evidence;
  if (count < counters.settings.minSignals || count < 2) return null;
  const prompts = window.clusters!.prompts;
  const near = (prompts - 1) * NEAR_BY_CHANCE;
  const pValue = Math.min(1, prompts * poissonTail(count - 1, near));
  const threshold = thresholdOf('CAMPAIGN', window.lengthMs);
  if (pValue >= threshold) return null;
  return {
    type: 'CAMPAIGN',
    key: `shape:${sha256Hex(Buffer.from(counters.similarity.textOf(digits))).slice(0, KEY_DIGITS)}`,
    evidence,
    baseline: near + 1,
    observed: count,
    test: 'Poisson tail of near-duplicates',
    pValue,
    threshold,
    description: `${count} attack prompts in a day are near-duplicates of each other, out of ${prompts} compared.`,
  };
}
