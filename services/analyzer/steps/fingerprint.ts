import { fingerprintOf } from '#core/similarity/fingerprint.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import type { Audit, AuditBatch } from './audits.ts';
import type { Noted } from './judge.ts';

export interface Fingerprinted extends Noted {
  /** Of the prompt, 64 hexadecimal digits; null: it is too short to be like another one. */
  readonly fingerprint: string | null;
}

/** The similarity fingerprints of the prompts: what an attack that is sent again and again has in common. */
export const fingerprintAudits = (
  batch: AuditBatch,
  noted: readonly Audit<Noted>[],
  keyring: Pick<Keyring, 'fingerprintKey'>,
): Promise<Audit<Fingerprinted>[]> =>
  batch.each({ part: 'detect', stage: 'fingerprint' }, noted, async ({ known }) => {
    const key = await keyring.fingerprintKey(known.triplet.customerId);
    const prompt = known.texts.find(({ source }) => source === 'prompt')!;
    return { ...known, fingerprint: fingerprintOf(key, prompt.text) };
  });
