import fc from 'fast-check';
import { expect, test } from '#jest';
import type { LedgerEntry } from '#schemas/events/events.ts';
import { LEDGER_KINDS } from '#schemas/vocabulary.ts';
import { bundledCodec } from './bundled.ts';
import { golden } from './contract.ts';
import { ledgerEntryName } from './ledger-entry-name.ts';

const codec = bundledCodec();
const { event } = golden<LedgerEntry>('ledger-entry.v1');

test('reads the kind and the id that an entry was encoded with', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...LEDGER_KINDS),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      (kind, id, v) => {
        const value = codec.encodeLedgerEntry({ ...event, v, kind, id });
        expect(ledgerEntryName(value)).toEqual({ kind, id: Buffer.from(id).toString() });
      },
    ),
  );
});

test('never fails on other bytes or truncated entries', () => {
  const whole = codec.encodeLedgerEntry(event);
  for (let length = 0; length < 20; length += 1)
    expect(ledgerEntryName(whole.subarray(0, length))).toBeNull();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const name = ledgerEntryName(Buffer.from(bytes));
      expect(name === null || name.id.length <= bytes.length).toBe(true);
    }),
  );
});
