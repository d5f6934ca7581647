import { randomBytes } from 'node:crypto';
import type { Settings } from '#platform/config/settings.ts';
import { dataFolder, makeDataFolder } from '#platform/data-folder/data-folder.ts';
import { readKeyFile } from '#platform/sealing/key-file.ts';
import { type Keyring, MasterKeyMismatch } from '#platform/sealing/port.ts';
import { loadSigningKey, readAnnouncement, type SigningKey } from '#platform/sealing/signing-key.ts';
import type { Check } from '#platform/telemetry/readiness/readiness.ts';

/** Keys that only the API has. */
export interface ApiKeys {
  readonly signingKey: SigningKey;
  /** By the previous signing key, if it announced this one. */
  readonly announcement: Buffer | null;
  readonly internalSecrets: readonly string[];
}

const INTERNAL_SECRET_BYTES = 32;

const newInternalSecret = (): Buffer => Buffer.from(randomBytes(INTERNAL_SECRET_BYTES).toString('hex'));

/**
 * The API's keys from the settings; missing ones are made in the data folder. `hasSigned`: whether the state knows a
 * signing key. If so, no new one is made, because no verifier would accept its signatures.
 */
export function loadApiKeys(settings: Settings, { hasSigned }: { readonly hasSigned: boolean }): ApiKeys {
  const isComplete = settings.signingKeyFile !== null && settings.internalSecrets !== null;
  const folder = isComplete ? dataFolder(settings.dataDir) : makeDataFolder(settings.dataDir);
  const signingKeyFile = settings.signingKeyFile ?? folder.signingKey;
  return {
    announcement: readAnnouncement(signingKeyFile),
    signingKey: loadSigningKey(signingKeyFile, {
      create: settings.signingKeyFile === null && !hasSigned,
    }),
    internalSecrets: settings.internalSecrets ?? [
      readKeyFile(folder.internalSecret, 'INTERNAL_SECRET', newInternalSecret).toString('utf8').trim(),
    ],
  };
}

/** Readiness: fails if the state under a running process is sealed with another master key. */
export const masterKeyCheck = (keyring: Pick<Keyring, 'verify'>) => async (): Promise<Check> => {
  try {
    await keyring.verify();
    return { ok: true };
  } catch (error) {
    if (error instanceof MasterKeyMismatch) return { ok: false, message: error.message };
    throw error;
  }
};
