import { createPublicKey, verify } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { loadMasterKey } from './master-key.ts';
import { loadSigningKey } from './signing-key.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cas-keys-'));
  file = path.join(folder, 'some.key');
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (content: Buffer | string): void => writeFileSync(file, content, { mode: 0o600 });

describe('master key', () => {
  test('is created once, for its owner only, and leaves no draft', () => {
    const made = loadMasterKey(file, { create: true });
    expect(made).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(loadMasterKey(file, { create: true })).toEqual(made);
    expect(readdirSync(folder)).toEqual(['some.key']);
  });
  test('may be written as hexadecimal digits', () => {
    put(`${'a1'.repeat(32)}\n`);
    expect(loadMasterKey(file, { create: false })).toEqual(Buffer.alloc(32, 0xa1));
  });
  test('is refused if it is missing, has another size, or is open to others', () => {
    expect(() => loadMasterKey(file, { create: false })).toThrow('no such file');
    put('k'.repeat(31));
    expect(() => loadMasterKey(file, { create: true })).toThrow('has 31 bytes');
    put(Buffer.alloc(32));
    for (const mode of [0o644, 0o604, 0o602, 0o620]) {
      chmodSync(file, mode);
      expect(() => loadMasterKey(file, { create: true })).toThrow(`chmod 600 ${file}`);
    }
    chmodSync(file, 0o440);
    expect(loadMasterKey(file, { create: false })).toEqual(Buffer.alloc(32));
  });
});

describe('signing key', () => {
  // RFC 8032, section 7.1, test 2.
  const SEED = '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb';
  const PUBLIC = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c';
  const SIGNATURE =
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';

  test('derives the keys and signatures of RFC 8032 from a seed', () => {
    put(Buffer.from(SEED, 'hex'));
    const key = loadSigningKey(file, { create: false });
    expect(key.publicKey.toString('hex')).toBe(PUBLIC);
    expect(key.sign(Buffer.from([0x72])).toString('hex')).toBe(SIGNATURE);
    expect(key.keyId).toMatch(/^[0-9a-f]{16}$/);
  });
  test('is created once as PEM and makes verifiable signatures', () => {
    const key = loadSigningKey(file, { create: true });
    expect(loadSigningKey(file, { create: true }).keyId).toBe(key.keyId);
    const message = Buffer.from('a checkpoint');
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.publicKey.toString('base64url') };
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    expect(verify(null, message, publicKey, key.sign(message))).toBe(true);
  });
  test('refuses other content without quoting it', () => {
    put('do-not-show-this');
    expect(() => loadSigningKey(file, { create: true })).toThrow(/neither an Ed25519 private key/);
    expect(() => loadSigningKey(file, { create: true })).not.toThrow(/do-not-show-this/);
  });
});
