import { fingerprintOf } from '#core/similarity/fingerprint.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import type { Assessed } from './assess.ts';
import type { Audit, AuditBatch } from './audits.ts';

/** What a signal is made of. The texts are let go. */
export interface Fingerprinted extends Omit<Assessed, 'prompt'> {
  /** Of the prompt, 64 hexadecimal digits; null: nothing was found in the audit, or the prompt is too short to be like another one. */
  readonly fingerprint: string | null;
}

/**
 * The similarity fingerprints of prompts with a violation: what an attack that is sent again and again has in common.
 * Nobody compares the others, most of all there are, so nothing is derived from their texts.
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
