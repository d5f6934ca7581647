import { verifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { announces, isSignedBy, type SigningKey } from '#platform/sealing/signing-key.ts';
import { type Collection, kept, systemCollection } from '#platform/state/collection.ts';
import { type Documents, type State, type StoredDocument, SYSTEM_SCOPE } from '#platform/state/port.ts';
import type { SigningKeyRecord, SigningKeyStatus } from '#schemas/api/evidence/hash-chain.ts';

/** In the system's scope. */
const SIGNING_KEYS = 'signingKeys';
export const SIGNING_KEY_COLLECTIONS: readonly Collection[] = [
  systemCollection(SIGNING_KEYS, kept("the service's own keys, and nothing of a customer")),
];

/** Document `SIGNING_KEYS`, id = key id: written when the key first signs, and kept permanently. */
interface KeyRecord {
  /** ISO 8601. */
  readonly since: string;
  /** Base64 of the raw 32 bytes; not recorded by earlier releases. */
  readonly publicKey?: string;
  /** Signature by this key over the list at its registration, base64; not recorded by earlier releases. */
  readonly signature?: string;
  /** Signature by the previous key, base64; absent: the replacement was not announced. */
  readonly announcement?: string | undefined;
}

/** Whether this state knows of any key that has signed. */
export const hasSigned = async (documents: Documents): Promise<boolean> =>
  (await documents.ids(SYSTEM_SCOPE, SIGNING_KEYS)).length > 0;

type Key = Pick<SigningKey, 'keyId' | 'publicKey' | 'sign'>;
type StoredKey = StoredDocument<KeyRecord>;

const storedKeys = (documents: Documents): Promise<StoredKey[]> =>
  documents.list<KeyRecord>(SYSTEM_SCOPE, SIGNING_KEYS);

/** The signed form of the list: all keys, and since when each is in use. */
const listText = (keys: readonly Pick<StoredKey, 'id' | 'value'>[]): Buffer =>
  Buffer.from(
    ['signing keys', ...keys.map(({ id, value }) => `${id} ${value.since} ${value.publicKey ?? ''}`)].join(
      '\n',
    ),
  );

/**
 * Records the key in the state before it signs; returns since when it has been in use, ISO 8601. `announcement`: the
 * previous key's signature. `now`: Unix ms.
 */
export async function registerSigningKey(
  documents: Documents,
  { keyId, publicKey, sign }: Key,
  now: number,
  announcement: Buffer | null = null,
): Promise<string> {
  const ref = { scope: SYSTEM_SCOPE, collection: SIGNING_KEYS, id: keyId };
  const keys = await storedKeys(documents);
  const stored = keys.find(({ id }) => id === keyId);
  if (stored?.value.signature !== undefined) return stored.value.since;
  const since = stored?.value.since ?? new Date(now).toISOString();
  const own: KeyRecord = { since, publicKey: publicKey.toString('base64') };
  const list = [...keys.filter(({ id }) => id !== keyId), { id: keyId, value: own }];
  const value: KeyRecord = {
    ...own,
    signature: sign(listText(inOrder(list))).toString('base64'),
    ...(announcement === null ? {} : { announcement: announcement.toString('base64') }),
  };
  await documents.write(ref.scope, [{ ...ref, expectedVersion: stored?.version ?? 0, value }]);
  // Another process may have been first.
  return (await documents.get<KeyRecord>(ref))?.value.since ?? since;
}

const inOrder = <One extends Pick<StoredKey, 'id' | 'value'>>(keys: readonly One[]): One[] =>
  keys.toSorted(
    (one, other) =>
      Date.parse(one.value.since) - Date.parse(other.value.since) || (one.id < other.id ? -1 : 1),
  );

/** The first key needs no announcement. */
const isAnnounced = (
  before: Pick<KeyRecord, 'publicKey'> | undefined,
  own: Pick<KeyRecord, 'announcement'> | undefined,
  publicKey: Buffer,
): boolean =>
  before === undefined ||
  announces(
    Buffer.from(before.publicKey ?? '', 'base64'),
    publicKey,
    Buffer.from(own?.announcement ?? '', 'base64'),
  );

/**
 * Since when the current key signs, which key it replaced, and whether that key announced it. A foreign key cannot be
 * announced without the previous one, and a changed list lacks the current key's signature.
 */
export async function signingKeyStatus({
  signingKey,
  state,
}: {
  readonly signingKey: SigningKey;
  readonly state: Pick<State, 'documents'>;
}): Promise<SigningKeyStatus> {
  const keys = inOrder(await storedKeys(state.documents));
  const at = keys.findIndex(({ id }) => id === signingKey.keyId);
  const own = keys[at]?.value;
  const before = keys[at - 1];
  const signature = Buffer.from(own?.signature ?? '', 'base64');
  return {
    keyId: signingKey.keyId,
    since: own?.since ?? null,
    replaced: before?.id ?? null,
    announced: isAnnounced(before?.value, own, signingKey.publicKey),
    listIntact: isSignedBy(signingKey.publicKey, listText(keys), signature),
  };
}

/**
 * Public keys for verifying this service's signatures, the oldest first. A replaced key stays, because its signatures
 * are still verified with it. It counts as valid until the next one starts.
 */
export async function signingKeys({
  signingKey,
  settings: { ledgerOrigin: name, signingKeySince },
  state,
}: {
  readonly signingKey: SigningKey;
  /** ISO 8601: since when the current key signs. */
  readonly settings: { readonly ledgerOrigin: string; readonly signingKeySince: string };
  readonly state: Pick<State, 'documents'>;
}): Promise<SigningKeyRecord[]> {
  const stored = inOrder(await storedKeys(state.documents));
  const own = stored.find(({ id }) => id === signingKey.keyId)?.value;
  const earlier = stored.flatMap(({ id, value: { publicKey, ...value } }) =>
    id === signingKey.keyId || publicKey === undefined
      ? []
      : [{ ...value, keyId: id, publicKey: Buffer.from(publicKey, 'base64') }],
  );
  // The current one is last, whatever the state says: it may be an older key that is used again.
  const keys = [
    ...earlier,
    {
      keyId: signingKey.keyId,
      publicKey: signingKey.publicKey,
      since: signingKeySince,
      announcement: own?.announcement,
    },
  ];
  return keys.map(({ keyId, since, publicKey, announcement }, position) => {
    const before = keys[position - 1]?.publicKey.toString('base64');
    return {
      keyId,
      name,
      algorithm: 'Ed25519',
      publicKey: publicKey.toString('base64'),
      vkey: verifierKey({ name, publicKey }),
      validFrom: since,
      validTo: keys[position + 1]?.since ?? null,
      announced: isAnnounced(
        before === undefined ? undefined : { publicKey: before },
        { announcement },
        publicKey,
      ),
    };
  });
}
