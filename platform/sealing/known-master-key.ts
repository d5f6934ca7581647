import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Documents, META, SYSTEM_SCOPE } from '#platform/state/port.ts';
import { MasterKeyMismatch } from './port.ts';

/** Document that identifies the master key of this state. It reveals nothing about a random key. */
const KNOWN_KEY = { scope: SYSTEM_SCOPE, collection: META, id: 'masterKey' } as const;

interface KnownKey {
  /** HMAC-SHA-256 of a fixed text under the master key, hex. */
  readonly mark: string;
}

const markOf = (masterKey: Buffer): string =>
  createHmac('sha256', masterKey).update('cas/master-key/v1').digest('hex');

/** Records the master key in a state that has none yet. Of two concurrent calls, one wins. */
export async function noteMasterKey(documents: Documents, masterKey: Buffer): Promise<void> {
  if ((await documents.get(KNOWN_KEY)) !== null) return;
  const value: KnownKey = { mark: markOf(masterKey) };
  await documents.write(KNOWN_KEY.scope, [{ ...KNOWN_KEY, expectedVersion: 0, value }]);
}

/** Rejects with `MasterKeyMismatch` if the state has recorded another one. */
export async function refuseOtherMasterKey(documents: Documents, masterKey: Buffer): Promise<void> {
  const known = await documents.get<KnownKey>(KNOWN_KEY);
  if (known === null) return;
  const mark = Buffer.from(markOf(masterKey));
  const noted = Buffer.from(known.value.mark);
  if (noted.length !== mark.length || !timingSafeEqual(noted, mark)) throw new MasterKeyMismatch();
}
