import { createHash } from 'node:crypto';
import { expect, test } from '#jest';
import { canonicalJson } from './canonical-json.ts';
import {
  chainHash,
  chainHashHex,
  coreHash,
  coreHashHex,
  dataHash,
  dataHashHex,
  detailHash,
  detailHashHex,
  leafHash,
  leafHashHex,
  treeLeafHash,
} from './hashing.ts';

const SALT = Buffer.alloc(32, 7);
const plain = (tag: string, salt: Buffer, text: string): string =>
  createHash('sha256').update(tag).update(salt).update(text, 'utf8').digest('hex');

/** Around the length at which a text gets its own buffer, and far above it. */
const LENGTHS = [0, 1, 21_829, 21_830, 21_831, 21_832, 21_833, 21_845, 65_536, 200_000];

test.each(['a', 'é', '€', '\ud800'])(
  'texts of %j hash the same at every length, also after longer ones',
  (one) => {
    for (const length of [...LENGTHS, ...LENGTHS.toReversed()]) {
      const text = one.repeat(length);
      expect(coreHash(SALT, text).toString('hex')).toBe(plain('cas/core/v1\0', SALT, text));
      expect(detailHash(SALT, text).toString('hex')).toBe(plain('cas/detail/v1\0', SALT, text));
      expect(coreHashHex(SALT.toString('hex'), text)).toBe(plain('cas/core/v1\0', SALT, text));
      expect(detailHashHex(SALT.toString('hex'), text)).toBe(plain('cas/detail/v1\0', SALT, text));
      expect(treeLeafHash(text).toString('hex')).toBe(plain('\0', Buffer.alloc(0), text));
    }
  },
);

const [ONE, OTHER] = [Buffer.alloc(32, 0xab), Buffer.alloc(32, 0x0c)];
const hexOf = (bytes: Buffer): string => bytes.toString('hex');

test('hashes from hex equal those from bytes', () => {
  expect(dataHashHex(hexOf(ONE), hexOf(OTHER))).toBe(hexOf(dataHash(ONE, OTHER)));
  expect(chainHashHex(hexOf(ONE), hexOf(OTHER))).toBe(hexOf(chainHash(ONE, OTHER)));
  const leaf = {
    v: 2,
    kind: 'SIGNAL',
    customerId: 'c',
    index: 7,
    id: 'i',
    at: '2026-01-01T00:00:00.000Z',
    dataHash: hexOf(ONE),
  } as const;
  expect(leafHashHex(leaf)).toBe(hexOf(leafHash(leaf)));
  expect(leafHash(leaf)).toEqual(treeLeafHash(canonicalJson(leaf)));
});

test.each(['', 'ab', 'ab'.repeat(31), 'ab'.repeat(33), 'ab'.repeat(100_000)])(
  'an input without the length of a hash has no hash (%#)',
  (hex) => {
    expect([dataHashHex(hex, hexOf(ONE)), dataHashHex(hexOf(ONE), hex)]).toEqual([null, null]);
    expect([chainHashHex(hex, hexOf(ONE)), chainHashHex(hexOf(ONE), hex)]).toEqual([null, null]);
    expect([coreHashHex(hex, 'x'), detailHashHex(hex, 'x')]).toEqual([null, null]);
  },
);

test('non-hex input with the length of a hash is not accepted as a hash', () => {
  const [half, none] = [`${'ab'.repeat(16)}${'zz'.repeat(16)}`, 'zz'.repeat(32)];
  // After a hash whose bytes may still be in the shared buffer.
  for (const bad of [half, none]) {
    const whole = dataHashHex(hexOf(ONE), hexOf(OTHER));
    expect(dataHashHex(hexOf(ONE), bad)).not.toBe(whole);
    expect(dataHashHex(bad, hexOf(OTHER))).not.toBe(whole);
  }
});
