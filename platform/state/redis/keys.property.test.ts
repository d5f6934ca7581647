import fc from 'fast-check';
import { expect, test } from '#jest';
import { escapeName, pathOf, redisKeys, refOf, unescapeName } from './keys.ts';

/** Names that a request may contain: separators of keys, lone surrogates, anything. */
const name = fc
  .array(fc.oneof(fc.constantFrom(...'{}:% \u0000\ud83d\udd11a0'), fc.string({ unit: 'binary' })), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));
const ref = fc.record({ scope: name, collection: name, id: name });
const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('hex');

test('every escaped name is reversible', () => {
  fc.assert(fc.property(name, (text) => expect(unescapeName(escapeName(text))).toBe(text)));
  fc.assert(fc.property(ref, (one) => expect(refOf(pathOf(one))).toEqual(one)));
});

test('a plain name stays as it is, and the escapes of others never change', () => {
  const structural = /[ :{}%\p{Cc}\p{Cs}]/gu;
  const asBefore = (text: string): string =>
    text.replace(structural, (one) => `%${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const plain = fc.string({ unit: fc.constantFrom(...'azAZ09_.-') });
  fc.assert(fc.property(fc.oneof(name, plain), (text) => expect(escapeName(text)).toBe(asBefore(text))));
});

test('different documents have different keys, in the bytes that are sent', () => {
  const keys = redisKeys('cas:');
  fc.assert(
    fc.property(ref, ref, (left, right) => {
      const same = JSON.stringify(left) === JSON.stringify(right);
      expect(bytesOf(keys.document(left)) === bytesOf(keys.document(right))).toBe(same);
    }),
    { numRuns: 1_000 },
  );
});

test('the hash tag of a key is its scope, for any names', () => {
  const keys = redisKeys('cas:');
  fc.assert(
    fc.property(ref, ({ scope, collection, id }) => {
      for (const key of [
        keys.document({ scope, collection, id }),
        keys.collection(scope, collection),
        keys.outbox({ scope, collection, id }),
        keys.bucket(scope),
        keys.unconfirmed(scope),
        keys.lastUsed(scope),
        keys.counts(scope),
        keys.mark(scope, id),
        keys.attempts(scope, id),
      ]) {
        expect(key.match(/[{}]/g)).toEqual(['{', '}']);
        expect(unescapeName(/\{(.*)\}/s.exec(key)![1]!)).toBe(scope);
      }
      expect(`${keys.claim(id)}${keys.expiring(id)}`).not.toMatch(/[{}]/);
    }),
  );
});
