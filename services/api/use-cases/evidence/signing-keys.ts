import { verifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { type Documents, SYSTEM_SCOPE } from '#platform/state/port.ts';
import type { SigningKeyRecord } from '#schemas/api/evidence/hash-chain.ts';
import type { ApiDependencies } from '../../dependencies.ts';

/** Document `SIGNING_KEYS`, id = key id: written when the key first signs, and kept for good. */
interface KeyRecord {
  /** ISO 8601. */
  readonly since: string;
  /** Base64 of the raw 32 bytes; earlier releases did not note it. */
  readonly publicKey?: string;
}

const SIGNING_KEYS = 'signingKeys';

/** Whether a key has signed anything that this state knows of. */
export const hasSigned = async (documents: Documents): Promise<boolean> =>
  (await documents.ids(SYSTEM_SCOPE, SIGNING_KEYS)).length > 0;

type Key = Pick<ApiDependencies['signingKey'], 'keyId' | 'publicKey'>;

/** Notes the key in the state before it signs; returns since when it has been in use, ISO 8601. `now`: Unix ms. */
export async function registerSigningKey(
  documents: Documents,
  { keyId, publicKey }: Key,
  now: number,
): Promise<string> {
  const ref = { scope: SYSTEM_SCOPE, collection: SIGNING_KEYS, id: keyId };
  const stored = await documents.get<KeyRecord>(ref);
  if (stored?.value.publicKey !== undefined) return stored.value.since;
  const since = stored?.value.since ?? new Date(now).toISOString();
  const value: KeyRecord = { since, publicKey: publicKey.toString('base64') };
  await documents.write(ref.scope, [{ ...ref, expectedVersion: stored?.version ?? 0, value }]);
  // Another process may have been first.
  return (await documents.get<KeyRecord>(ref))?.value.since ?? since;
}

/**
 * Public keys for checking this service's signatures, the oldest first. A key that was replaced stays: what it signed is
 * still checked with it. It counts as valid until the next one's beginning.
 */
export async function signingKeys({
  signingKey,
  settings: { ledgerOrigin: name, signingKeySince },
  state,
}: Pick<ApiDependencies, 'signingKey' | 'settings' | 'state'>): Promise<SigningKeyRecord[]> {
  const stored = await state.documents.list<KeyRecord>(SYSTEM_SCOPE, SIGNING_KEYS);
  const earlier = stored.flatMap(({ id, value: { since, publicKey } }) =>
    id === signingKey.keyId || publicKey === undefined
      ? []
      : [{ keyId: id, since, publicKey: Buffer.from(publicKey, 'base64') }],
  );
  // The one in use stands last, whatever the state says of it: it may be an older key that was taken up again.
  const keys = [
    ...earlier.sort((one, other) => Date.parse(one.since) - Date.parse(other.since)),
    { ...signingKey, since: signingKeySince },
  ];
  return keys.map(({ keyId, since, publicKey }, place) => ({
    keyId,
    name,
    algorithm: 'Ed25519',
    publicKey: publicKey.toString('base64'),
    vkey: verifierKey({ name, publicKey }),
    validFrom: since,
    validTo: keys[place + 1]?.since ?? null,
  }));
}
