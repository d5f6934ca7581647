import { randomBytes } from 'node:crypto';
import { readKeyFile } from './key-file.ts';

/** Length of the master key and of every customer's key, in bytes (AES-256). */
export const KEY_BYTES = 32;

const LOST =
  'Restore it from its backup: stored data is encrypted with it. For a new installation, create one: openssl rand -hex 32';

/**
 * The key that wraps every customer's key: a file of 32 bytes, or of 64 hexadecimal digits. `create`: create it if it
 * is missing (embedded profile, in its data folder, while nothing is stored). Losing it means losing everything that is
 * sealed.
 */
export function loadMasterKey(file: string, options: { readonly create: boolean }): Buffer {
  const bytes = readKeyFile(file, 'master key', options.create ? () => randomBytes(KEY_BYTES) : LOST);
  if (bytes.length === KEY_BYTES) return bytes;
  const text = bytes.toString('latin1').trim();
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  throw new Error(
    `master key: ${file} has ${bytes.length} bytes; it must hold 32 bytes, or 64 hexadecimal digits (openssl rand -hex 32)`,
  );
}
