import { fingerprintOf } from '#core/similarity/fingerprint.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import type { Assessed } from './assess.ts';
import type { Audit, AuditBatch } from './audits.ts';

/** What a signal is made from. The texts are released. */
export interface Fingerprinted extends Omit<Assessed, 'prompt'> {
  /**
   * Fingerprint of the prompt, 64 hexadecimal digits; null when nothing was detected in the audit, or the prompt is too
   * short to compare.
   */
  readonly fingerprint: string | null;
}

/**
 * Similarity fingerprints of prompts with a violation: they show what repeated attacks have in common. Most prompts
 * have none and are never compared, so nothing is derived from their texts.
 */
export function fingerprintStep(keyring: Pick<Keyring, 'fingerprintKey'>) {
  const fingerprint = async ({ known }: Audit<Assessed>): Promise<Fingerprinted> => {
    const { triplet, sandbox, assessment, suppressed, reasoning, prompt } = known;
    const made =
      assessment.violations.length === 0
        ? null
        : fingerprintOf(await keyring.fingerprintKey(triplet.customerId), prompt);
    return { triplet, sandbox, assessment, suppressed, reasoning, fingerprint: made };
  };
  return (batch: AuditBatch, assessed: readonly Audit<Assessed>[]): Promise<Audit<Fingerprinted>[]> =>
    batch.each({ part: 'detect', stage: 'fingerprint' }, assessed, fingerprint);
}
