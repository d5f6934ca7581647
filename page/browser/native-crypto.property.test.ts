import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import * as native from '#core/evidence/native-crypto.ts';
import { describe, expect, test } from '#jest';
import * as page from './native-crypto.ts';

/** The page’s own hashes and signature checks agree with those of the command. */

const bytes = fc.uint8Array({ maxLength: 300 });

describe('SHA-256', () => {
  test('is the same, even for empty input', () => {
    fc.assert(fc.property(bytes, (some) => expect(page.sha256(some)).toEqual(native.sha256(some))));
    expect(page.sha256(new Uint8Array(0)).equals(native.sha256(new Uint8Array(0)))).toBe(true);
  });

  test('is the same in pieces', () => {
    fc.assert(
      fc.property(fc.array(bytes), (pieces) => {
        const [one, other] = [page.createSha256(), native.createSha256()];
        for (const piece of pieces) {
          one.update(piece);
          other.update(piece);
        }
        expect(one.hex()).toBe(other.hex());
      }),
    );
  });
});

describe('a signature', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  const signedOf = (message: Buffer): native.Signed => ({
    message,
    signature: sign(null, message, privateKey),
    publicKey: raw,
  });
  const verdicts = (signed: native.Signed): boolean[] => [page.isSigned(signed), native.isSigned(signed)];

  test('is accepted by both, and with any changed bit of it, the message or the key by neither', () => {
    const flipped = (of: Buffer, bit: number): Buffer => {
      const changed = Buffer.from(of);
      const at = Math.floor(bit / 8) % of.length;
      changed[at] = changed[at]! ^ (1 << (bit % 8));
      return changed;
    };
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.nat(1_000), (some, bit) => {
        const signed = signedOf(Buffer.from(some));
        expect(verdicts(signed)).toEqual([true, true]);
        for (const part of ['message', 'signature', 'publicKey'] as const)
          expect(verdicts({ ...signed, [part]: flipped(signed[part], bit) })).toEqual([false, false]);
      }),
      { numRuns: 40 },
    );
  });

  test('with an unreduced scalar is accepted by neither', () => {
    const order = (1n << 252n) + 27742317777372353535851937790883648493n;
    const signed = signedOf(Buffer.from('message'));
    const scalar = BigInt(`0x${Buffer.from(signed.signature.subarray(32)).reverse().toString('hex')}`);
    const grown = Buffer.from((scalar + order).toString(16).padStart(64, '0'), 'hex').reverse();
    const signature = Buffer.concat([signed.signature.subarray(0, 32), grown]);
    expect(verdicts({ ...signed, signature })).toEqual([false, false]);
  });

  test('of the wrong length, or by an invalid key, is accepted by neither', () => {
    const signed = signedOf(Buffer.from('message'));
    expect(page.isSigned({ ...signed, signature: signed.signature.subarray(1) })).toBe(false);
    expect(page.isSigned({ ...signed, publicKey: Buffer.alloc(31) })).toBe(false);
    expect(page.isSigned({ ...signed, publicKey: Buffer.alloc(32, 0xff) })).toBe(false);
  });
});
