import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { readKeyFile } from '#platform/sealing/key-file.ts';
import { loadMasterKey } from '#platform/sealing/master-key.ts';
import { loadSigningKey } from '#platform/sealing/signing-key.ts';

/** Key files shared by all processes of one installation, created on first use with mode 0600. Returns the settings. */
export function makeKeys(folder: string): Record<string, string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const masterKey = path.join(folder, 'master.key');
  const signingKey = path.join(folder, 'signing.key');
  const internalSecret = path.join(folder, 'internal-secret');
  loadMasterKey(masterKey, { create: true });
  loadSigningKey(signingKey, { create: true });
  readKeyFile(internalSecret, 'internal secret', () => Buffer.from(`${randomBytes(32).toString('hex')}\n`));
  return { MASTER_KEY: masterKey, SIGNING_KEY: signingKey, INTERNAL_SECRET_FILE: internalSecret };
}
