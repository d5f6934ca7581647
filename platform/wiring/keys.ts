import { randomBytes } from 'node:crypto';
import type { Settings } from '#platform/config/settings.ts';
import { dataFolder, makeDataFolder } from '#platform/data-folder/data-folder.ts';
import { readKeyFile } from '#platform/sealing/key-file.ts';
import { loadSigningKey, type SigningKey } from '#platform/sealing/signing-key.ts';

/** What only the API holds. */
export interface ApiKeys {
  readonly signingKey: SigningKey;
  readonly internalSecrets: readonly string[];
}

const INTERNAL_SECRET_BYTES = 32;

const newInternalSecret = (): Buffer => Buffer.from(randomBytes(INTERNAL_SECRET_BYTES).toString('hex'));

/** The API's keys from the settings; a key that is not set is created in the data folder. */
export function loadApiKeys(settings: Settings): ApiKeys {
  const isComplete = settings.signingKeyFile !== null && settings.internalSecrets !== null;
  const folder = isComplete ? dataFolder(settings.dataDir) : makeDataFolder(settings.dataDir);
  return {
    signingKey: loadSigningKey(settings.signingKeyFile ?? folder.signingKey, {
      create: settings.signingKeyFile === null,
    }),
    internalSecrets: settings.internalSecrets ?? [
      readKeyFile(folder.internalSecret, 'INTERNAL_SECRET', newInternalSecret).toString('utf8').trim(),
    ],
  };
}
