import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { coreHash, detailHash, treeLeafHash } from './hashing.ts';

const SALT = Buffer.alloc(32, 7);
const plain = (tag: string, salt: Buffer, text: string): string =>
  createHash('sha256').update(tag).update(salt).update(text, 'utf8').digest('hex');

/** Around the length from which a text has a buffer of its own, and far above it. */
const LENGTHS = [0, 1, 21_829, 21_830, 21_831, 21_832, 21_833, 21_845, 65_536, 200_000];

test.each(['a', 'é', '€', '\ud800'])(
  'texts of %j hash the same at every length, after longer ones too',
  (one) => {
    for (const length of [...LENGTHS, ...LENGTHS.toReversed()]) {
      const text = one.repeat(length);
      expect(coreHash(SALT, text).toString('hex')).toBe(plain('cas/core/v1\0', SALT, text));
      expect(detailHash(SALT, text).toString('hex')).toBe(plain('cas/detail/v1\0', SALT, text));
      expect(treeLeafHash(text).toString('hex')).toBe(plain('\0', Buffer.alloc(0), text));
    }
  },
);
