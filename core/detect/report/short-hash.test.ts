import { createHmac } from 'node:crypto';
import { expect, test } from '#jest';
import { shortHash } from './short-hash.ts';

const key = Buffer.alloc(32, 7);

test('a short hash is eight hex characters of the HMAC and depends only on the key', () => {
  const hash = shortHash(key);
  const whole = createHmac('sha256', key).update('EMAIL\0jo@example.com').digest('hex');
  expect(hash('EMAIL', 'jo@example.com')).toBe(whole.slice(0, 8));
  expect(hash('EMAIL', 'jo@example.com')).toBe(shortHash(Buffer.from(key))('EMAIL', 'jo@example.com'));
});

test('another type, value or key gives another short hash', () => {
  const hashes = [
    shortHash(key)('EMAIL', 'jo@example.com'),
    shortHash(key)('PERSON', 'jo@example.com'),
    shortHash(key)('EMAIL', 'Jo@example.com'),
    shortHash(Buffer.alloc(32, 8))('EMAIL', 'jo@example.com'),
  ];
  expect(new Set(hashes).size).toBe(4);
});
