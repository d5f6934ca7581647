import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import avro from 'avsc';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { type LedgerEntry, SCHEMA_NAMES } from '#schemas/events/events.ts';
import { describeOn } from '../../test/helpers/real-servers.ts';
import { incompatibilities } from './compatibility.ts';
import { describeCodecContract, golden, plain } from './contract.ts';
import { decodeLearning } from './learn.ts';
import { UnknownSchema } from './port.ts';
import { registerSchemas, SchemaRefused } from './register.ts';
import { registryCodec, SchemaNotRegistered } from './registry.ts';
import { type RegistryClient, registryClient } from './registry-client.ts';
import { RegistryRefusal } from './registry-faults.ts';
import { EVENTS_FOLDER, readEventSchemas } from './schema-files.ts';
import { subjectsOf } from './subjects.ts';

/** Number of this release's schemas, counted under each of their subjects. */
const EVENTS = 8;

interface Field {
  readonly name: string;
  readonly type: unknown;
  readonly default?: unknown;
}

describeOn('registry', 'schema registry', (url) => {
  describeCodecContract('registry', async () => {
    await registerSchemas({ url });
    return registryCodec({ url });
  });

  test.each([
    ['audit-triplet.v1', SCHEMA_NAMES.triplet, 'encodeTriplet', 'decodeTriplet'],
    ['audit-triplet.v1.nulls', SCHEMA_NAMES.triplet, 'encodeTriplet', 'decodeTriplet'],
    ['ledger-entry.v1', SCHEMA_NAMES.ledger, 'encodeLedgerEntry', 'decodeLedgerEntry'],
    ['folded-entries.v2', SCHEMA_NAMES.folded, 'encodeFoldedEntries', 'decodeFoldedEntries'],
    ['correlation-finding.v1', SCHEMA_NAMES.finding, 'encodeFinding', 'decodeFinding'],
  ] as const)(
    '%s: another client reads what we write, and we read what it writes',
    async (file, name, encode, decode) => {
      await registerSchemas({ url });
      const [codec, other] = [await registryCodec({ url }), new SchemaRegistry({ host: url })];
      const { event } = golden<never>(file);
      const ours = codec[encode](event);
      expect(plain(await other.decode(ours))).toEqual(plain(event));

      const newest = readEventSchemas(EVENTS_FOLDER).findLast((schema) => schema.name === name);
      const [subject] = subjectsOf(name);
      const id = await other.getRegistryIdBySchema(`${subject}`, {
        type: SchemaType.AVRO,
        schema: `${newest?.text}`,
      });
      const theirs = await other.encode(id, event);
      expect(plain(codec[decode](theirs))).toEqual(plain(event));
      expect(theirs.equals(ours)).toBe(true);
    },
  );

  describe('a release with a second version', () => {
    let folder: string;
    const ledgerEntry = (change: (fields: Field[]) => Field[]): void => {
      const schema = JSON.parse(readFileSync(path.join(EVENTS_FOLDER, 'ledger-entry.avsc'), 'utf8'));
      schema.fields = change(schema.fields);
      // A unique text that no earlier run can have registered with the same registry.
      schema.doc = randomUUID();
      writeFileSync(path.join(folder, 'ledger-entry@2.avsc'), JSON.stringify(schema));
    };
    const withNote = (fields: Field[]): Field[] => [
      ...fields,
      { name: 'note', type: ['null', 'string'], default: null },
    ];
    beforeAll(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'cas-schemas-'));
    });
    beforeEach(async () => {
      cpSync(EVENTS_FOLDER, folder, { recursive: true });
      await registerSchemas({ url });
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test('does not start before it is registered; registering again changes nothing', async () => {
      ledgerEntry(withNote);
      await expect(registryCodec({ url }, folder)).rejects.toThrow(SchemaNotRegistered);
      await expect(registryCodec({ url }, folder)).rejects.toThrow(
        /cas\.v1\.LedgerEntry@2 under audit\.ledger-value: run "cas migrate"/,
      );
      const first = await registerSchemas({ url }, folder);
      expect(first.registered).toEqual(['cas.v1.LedgerEntry@2 under audit.ledger-value']);
      expect(first.existing).toHaveLength(EVENTS);
      const second = await registerSchemas({ url }, folder);
      expect(second.registered).toEqual([]);
      expect(second.existing).toHaveLength(EVENTS + 1);
    });

    test('is read by the older release, which learns the schema, and reads what the older release writes', async () => {
      ledgerEntry(withNote);
      await registerSchemas({ url }, folder);
      const [older, newer] = [await registryCodec({ url }), await registryCodec({ url }, folder)];
      const { event } = golden<LedgerEntry>('ledger-entry.v1');
      expect(newer.decodeLedgerEntry(older.encodeLedgerEntry(event))).toMatchObject({
        id: event.id,
        note: null,
      });

      const written = newer.encodeLedgerEntry({ ...event, note: 'new' } as LedgerEntry);
      expect(() => older.decodeLedgerEntry(written)).toThrow(UnknownSchema);
      expect(await decodeLearning(older, older.decodeLedgerEntry, written)).toMatchObject({ id: event.id });
      expect(older.decodeLedgerEntry(written)).not.toHaveProperty('note');
      // Learned as a ledger entry only.
      expect(() => older.decodeTriplet(written)).toThrow(UnknownSchema);
    });

    test('that drops a field is refused with the reason, and none of it is registered', async () => {
      ledgerEntry((fields) => fields.filter((field) => field.name !== 'core'));
      await expect(registerSchemas({ url }, folder)).rejects.toThrow(SchemaRefused);
      await expect(registerSchemas({ url }, folder)).rejects.toThrow(
        /rejected cas\.v1\.LedgerEntry@2 under audit\.ledger-value: .*core/,
      );
      await expect(registryCodec({ url }, folder)).rejects.toThrow(SchemaNotRegistered);
    });
  });

  test('does not learn an id that was never assigned, or one of an unrelated schema', async () => {
    await registerSchemas({ url });
    const codec = await registryCodec({ url });
    const bytes = codec.encodeTriplet(golden<never>('audit-triplet.v1').event);
    const withId = (id: number): Buffer => {
      const changed = Buffer.from(bytes);
      changed.writeUInt32BE(id, 1);
      return changed;
    };
    expect(await codec.learn(withId(0x7fff_fffe))).toBe(false);
    const [client, subject] = [registryClient({ url }), `foreign-${randomUUID()}`];
    await client.requireFullCompatibility(subject);
    const foreign = await client.register(
      subject,
      JSON.stringify({ type: 'record', name: 'AuditTriplet', namespace: 'elsewhere', fields: [] }),
    );
    expect(await codec.learn(withId(foreign))).toBe(false);
    await expect(decodeLearning(codec, codec.decodeTriplet, withId(foreign))).rejects.toThrow(UnknownSchema);
  });

  describe('the registry and the check that runs without one agree on', () => {
    const a: Field = { name: 'a', type: 'string' };
    const record = (...fields: Field[]) => ({ type: 'record', name: 'R', namespace: 'n', fields });
    const color = (symbols: string[], byDefault?: string) => ({
      name: 'e',
      type: {
        type: 'enum',
        name: 'Color',
        symbols,
        ...(byDefault === undefined ? {} : { default: byDefault }),
      },
    });
    const cases: [string, object, object, 'taken' | 'refused'][] = [
      ['a field added with a default', record(a), record(a, { name: 'b', type: 'int', default: 0 }), 'taken'],
      [
        'an optional field added',
        record(a),
        record(a, { name: 'b', type: ['null', 'string'], default: null }),
        'taken',
      ],
      [
        'a field with a default removed',
        record(a, { name: 'b', type: 'int', default: 0 }),
        record(a),
        'taken',
      ],
      [
        'fields in another order',
        record(a, { name: 'b', type: 'int' }),
        record({ name: 'b', type: 'int' }, a),
        'taken',
      ],
      ['a field added without a default', record(a), record(a, { name: 'b', type: 'int' }), 'refused'],
      [
        'an optional field added without a default',
        record(a),
        record(a, { name: 'b', type: ['null', 'int'] }),
        'refused',
      ],
      ['a field without a default removed', record(a, { name: 'b', type: 'int' }), record(a), 'refused'],
      ['a field renamed', record(a), record({ name: 'b', type: 'string' }), 'refused'],
      ['a field retyped', record(a), record({ name: 'a', type: 'int' }), 'refused'],
      ['a field widened', record({ name: 'a', type: 'int' }), record({ name: 'a', type: 'long' }), 'refused'],
      ['a field made optional', record(a), record({ name: 'a', type: ['null', 'string'] }), 'refused'],
      [
        'a union that grows',
        record({ name: 'a', type: ['null', 'string'] }),
        record({ name: 'a', type: ['null', 'string', 'int'] }),
        'refused',
      ],
      ['the record renamed', record(a), { ...record(a), name: 'S' }, 'refused'],
      ['an enum symbol added', record(color(['RED'])), record(color(['RED', 'BLUE'])), 'refused'],
      ['an enum symbol removed', record(color(['RED', 'BLUE'])), record(color(['RED'])), 'refused'],
      [
        'an enum symbol added where the enum has a default',
        record(color(['RED'], 'RED')),
        record(color(['RED', 'BLUE'], 'RED')),
        'taken',
      ],
    ];
    let client: RegistryClient;
    beforeAll(() => {
      client = registryClient({ url });
    });

    test.each(cases)('%s', async (_, before, after, verdict) => {
      const subject = `compatibility-${randomUUID()}`;
      await client.requireFullCompatibility(subject);
      await client.register(subject, JSON.stringify(before));
      const answer = await client.register(subject, JSON.stringify(after)).then(
        () => 'taken',
        (error: unknown) => {
          if (error instanceof RegistryRefusal && error.statusCode === 409) return 'refused';
          throw error;
        },
      );
      const types = [before, after].map((schema) =>
        avro.Type.forSchema(schema as avro.Schema, { registry: {} }),
      );
      const local = incompatibilities(types).length === 0 ? 'taken' : 'refused';
      expect({ answer, local }).toEqual({ answer: verdict, local: verdict });
    });
  });
});
