import { randomBytes } from 'node:crypto';
import { readKeyFile } from '../sealing/key-file.ts';
import { loadSigningKey, type SigningKey } from '../sealing/signing-key.ts';
import { dataFolder, makeDataFolder } from './data-folder.ts';
import type { Settings } from './settings.ts';

/** What only the API holds. */
export interface ApiKeys {
  readonly signingKey: SigningKey;
  readonly internalSecrets: readonly string[];
}

const INTERNAL_SECRET_BYTES = 32;

const newInternalSecret = (): Buffer => Buffer.from(randomBytes(INTERNAL_SECRET_BYTES).toString('hex'));

/** The API's keys from the settings; what is not set there is made in the data folder. */
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
