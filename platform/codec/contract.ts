import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '#jest';
import type { AuditTriplet, CorrelationFinding, FoldedEntries, LedgerEntry } from '#schemas/events/events.ts';

import { type Codec, Undecodable, Unencodable, UnknownSchema } from './port.ts';
import { EVENTS_FOLDER } from './schema-files.ts';

const HEADER_BYTES = 5;

interface Golden<Event> {
  readonly event: Event;
  /** Avro body without the five-byte header, hex. */
  readonly body: string;
}

/** Fixture of one event version; every string of the form `hex:...` in `event` represents bytes. */
export function golden<Event>(name: string): Golden<Event> {
  const file = path.join(EVENTS_FOLDER, 'fixtures', 'codec', `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8'), (_, value: unknown) =>
    typeof value === 'string' && value.startsWith('hex:') ? Buffer.from(value.slice(4), 'hex') : value,
  ) as Golden<Event>;
}

/** The contract of every codec, whatever assigns its schema ids. */
export function describeCodecContract(name: string, make: () => Promise<Codec>): void {
  describe(`codec: ${name}`, () => {
    test.each(['audit-triplet.v1', 'audit-triplet.v1.nulls'])(
      'writes and reads %s unchanged',
      async (file) => {
        const codec = await make();
        const { event, body } = golden<AuditTriplet>(file);
        const bytes = codec.encodeTriplet(event);
        expect(bytes[0]).toBe(0);
        expect(bytes.subarray(HEADER_BYTES).toString('hex')).toBe(body);
        expect(plain(codec.decodeTriplet(bytes))).toEqual(plain(event));
      },
    );

    test('writes and reads ledger-entry.v1 unchanged', async () => {
      const codec = await make();
      const { event, body } = golden<LedgerEntry>('ledger-entry.v1');
      const bytes = codec.encodeLedgerEntry(event);
      expect(bytes.subarray(HEADER_BYTES).toString('hex')).toBe(body);
      expect(plain(codec.decodeLedgerEntry(bytes))).toEqual(plain(event));
    });

    test('writes and reads folded-entries.v2 unchanged', async () => {
      const codec = await make();
      const { event, body } = golden<FoldedEntries>('folded-entries.v2');
      const bytes = codec.encodeFoldedEntries(event);
      expect(bytes.subarray(HEADER_BYTES).toString('hex')).toBe(body);
      expect(plain(codec.decodeFoldedEntries(bytes))).toEqual(plain(event));
      expect(() => codec.decodeFoldedEntries(bytes.subarray(0, -1))).toThrow(Undecodable);
      expect(() => codec.decodeTriplet(bytes)).toThrow(UnknownSchema);
    });

    test('writes and reads correlation-finding.v1 unchanged', async () => {
      const codec = await make();
      const { event, body } = golden<CorrelationFinding>('correlation-finding.v1');
      const bytes = codec.encodeFinding(event);
      expect(bytes.subarray(HEADER_BYTES).toString('hex')).toBe(body);
      expect(plain(codec.decodeFinding(bytes))).toEqual(plain(event));
      expect(() => codec.decodeFoldedEntries(bytes)).toThrow(UnknownSchema);
    });

    test('cannot decode a shortened or lengthened record', async () => {
      const codec = await make();
      const bytes = codec.encodeTriplet(golden<AuditTriplet>('audit-triplet.v1').event);
      for (let length = 0; length < bytes.length; length++) {
        expect(() => codec.decodeTriplet(bytes.subarray(0, length))).toThrow(Undecodable);
      }
      expect(() => codec.decodeTriplet(Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow(Undecodable);
    });

    test('cannot decode junk, and never quotes it', async () => {
      const codec = await make();
      for (const junk of ['', 'secret-junk', '\u0000secret-junk', '{"prompt":"secret-junk"}']) {
        expect(() => codec.decodeTriplet(Buffer.from(junk))).toThrow(Undecodable);
        expect(() => codec.decodeLedgerEntry(Buffer.from(junk))).not.toThrow(/secret-junk/);
      }
    });

    test('distinguishes an unknown id and another event’s id', async () => {
      const codec = await make();
      const bytes = codec.encodeTriplet(golden<AuditTriplet>('audit-triplet.v1').event);
      expect(() => codec.decodeLedgerEntry(bytes)).toThrow(UnknownSchema);
      const unknown = Buffer.from(bytes);
      unknown.writeUInt32BE(0x7fff_fffe, 1);
      expect(() => codec.decodeTriplet(unknown)).toThrow(UnknownSchema);
      expect(await codec.learn(unknown)).toBe(false);
      expect(await codec.learn(Buffer.from('junk'))).toBe(false);
    });

    test('a value that does not fit is reported by field, never by content', async () => {
      const codec = await make();
      const { event } = golden<AuditTriplet>('audit-triplet.v1');
      const wrong = { ...event, sealed: { ...event.sealed, iv: 'secret-text' as unknown as Buffer } };
      expect(() => codec.encodeTriplet(wrong)).toThrow(Unencodable);
      expect(() => codec.encodeTriplet(wrong)).toThrow('"sealed.iv"');
      expect(() => codec.encodeTriplet(wrong)).not.toThrow('secret-text');
    });
  });
}

/** Decoded events are instances of generated classes; only their content matters. */
export function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      inner instanceof Uint8Array ? Buffer.from(inner).toString('hex') : inner,
    ),
  );
}
