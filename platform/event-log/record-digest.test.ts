import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from '#jest';
import type { StoredRecord } from './port.ts';
import { recordDigest } from './record-digest.ts';

const RECORD: StoredRecord = {
  topic: 'audit.ledger',
  partition: 3,
  offset: 42,
  key: 'kéy',
  headers: { b: '2', a: 'ü', c: '' },
  value: Buffer.from([0, 1, 2, 255]),
  timestamp: 1,
};

test('digests never change, because they are stored and compared at the next start', () => {
  expect(recordDigest(RECORD)).toBe('626373c618e9eef34e32e133c75213d548cda4c4c043a24996fec9014486713b');
  const empty = {
    ...RECORD,
    topic: 't',
    partition: 0,
    offset: 0,
    key: '',
    headers: {},
    value: Buffer.alloc(0),
  };
  expect(recordDigest(empty)).toBe('361df4f2304e919407cae4742423d4d7506d8a1b3d644b26f3e1571f130b29e7');
});

test('the order of headers does not matter, but any other difference does', () => {
  const others: Partial<StoredRecord>[] = [
    { topic: 'audit.ledgers' },
    { partition: 4 },
    { offset: 43 },
    { key: 'key' },
    { headers: { ...RECORD.headers, c: ' ' } },
    // The same letters, divided differently.
    { headers: { b: '2', aü: '', c: '' } },
    { value: Buffer.from([0, 1, 2]) },
  ];
  const digests = others.map((other) => recordDigest({ ...RECORD, ...other }));
  expect(new Set([recordDigest(RECORD), ...digests]).size).toBe(others.length + 1);
  expect(recordDigest({ ...RECORD, headers: { c: '', a: 'ü', b: '2' } })).toBe(recordDigest(RECORD));
});

test('the length precedes every digested part, for all characters', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud800', '\udc00a', 'ü€😀'));
  const anyRecord = fc.record({
    key: text,
    headers: fc.dictionary(text, text, { maxKeys: 5 }),
    value: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  });
  fc.assert(
    fc.property(anyRecord, ({ key, headers, value }) => {
      const digest = createHash('sha256');
      const add = (part: string | Buffer): void => {
        const bytes = Buffer.from(part as string, 'utf8');
        const length = Buffer.alloc(4);
        length.writeUInt32BE(bytes.length);
        digest.update(length).update(bytes);
      };
      const names = Object.keys(headers).sort();
      for (const part of ['cas/record/v1', 'audit.ledger', '3', '42', key, String(names.length)]) add(part);
      for (const name of names) {
        add(name);
        add(headers[name]!);
      }
      add(value);
      expect(recordDigest({ ...RECORD, key, headers, value })).toBe(digest.digest('hex'));
    }),
  );
});
