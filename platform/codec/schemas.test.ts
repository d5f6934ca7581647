import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import avro from 'avsc';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { FoldedEntries, LedgerEntry } from '#schemas/events/events.ts';
import { groupBy } from '#schemas/group-by.ts';
import { bundledCodec } from './bundled.ts';
import { incompatibilities } from './compatibility.ts';
import { golden } from './contract.ts';
import { UnknownSchema } from './port.ts';
import { EVENTS_FOLDER as EVENTS, readEventSchemas, schemaKey } from './schema-files.ts';
import { subjectsOf } from './subjects.ts';

const idsOf = (folder: string): Record<string, number> =>
  JSON.parse(readFileSync(path.join(folder, 'ids.json'), 'utf8')) as Record<string, number>;

/**
 * Every id ever assigned, in order, with the SHA-256 of the schema as sent to registries. Only append lines: records in
 * the logs carry these numbers, and a registry finds an id by the schema's text, comments included.
 */
const GIVEN_OUT: readonly (readonly [string, number, string])[] = [
  ['cas.v1.AuditTriplet', 1, '2c74b9ddbc5389e22c04b192bc9e37bd5fb0e89a76d4176464edf9400955473e'],
  ['cas.v1.LedgerEntry', 2, '070a324ad3c41e065f4978bc608c150a1a9266033d2c08bb0041ccb8135f5ee0'],
  ['cas.v1.FoldedEntries', 3, 'b1653a999a2fd80d4d4f39d4e074fcaf5330cf2cb8d22fc0a6ac196b49e08ea8'],
  ['cas.v1.FoldedEntries@2', 4, 'c78e16c1a9a58df85931e6850ac338d46bf04937f7f27e954c1e5e2fa818ddb7'],
  ['cas.v1.CorrelationFinding', 5, 'd515ef4dba5b9f81c7bcd4386afeb4f8d956fe74ce5ab0c518c614a9d53c7858'],
];

describe('the committed schemas', () => {
  test('ids.json contains exactly the ids ever assigned', () => {
    expect(Object.entries(idsOf(EVENTS))).toEqual(GIVEN_OUT.map(([key, id]) => [key, id]));
    expect(GIVEN_OUT.map(([, id]) => id)).toEqual(GIVEN_OUT.map((_, i) => i + 1));
  });
  test('every schema has an id, and every id a schema with the text it was assigned for', () => {
    const digests = readEventSchemas(EVENTS).map(({ name, version, text }) => [
      schemaKey(name, version),
      createHash('sha256').update(text).digest('hex'),
    ]);
    expect(Object.fromEntries(digests)).toEqual(
      Object.fromEntries(GIVEN_OUT.map(([key, , digest]) => [key, digest])),
    );
  });
  test('every event has subjects', () => {
    for (const { name } of readEventSchemas(EVENTS)) expect(subjectsOf(name).length).toBeGreaterThan(0);
  });
  test('all versions of an event can read each other', () => {
    for (const versions of groupBy(readEventSchemas(EVENTS), ({ name }) => name).values())
      expect(incompatibilities(versions.map(({ type }) => type))).toEqual([]);
  });
});

test('records of the first version of folded entries are read, without fingerprints', () => {
  const { event, body } = golden<FoldedEntries>('folded-entries.v1');
  const header = Buffer.from([0, 0, 0, 0, 3]);
  const read = bundledCodec().decodeFoldedEntries(Buffer.concat([header, Buffer.from(body, 'hex')]));
  expect(JSON.parse(JSON.stringify(read))).toEqual({
    ...event,
    entries: event.entries.map((entry) => ({ ...entry, fingerprint: null })),
  });
});

describe('incompatibilities', () => {
  const record = (...fields: object[]) =>
    avro.Type.forSchema({ type: 'record', name: 'R', fields } as avro.Schema, { registry: {} });
  const a = { name: 'a', type: 'string' };

  test('allow adding and removing a field with a default', () => {
    expect(incompatibilities([record(a), record(a, { name: 'b', type: 'int', default: 0 })])).toEqual([]);
  });
  test('report a field without a default, and changed or widened types', () => {
    expect(incompatibilities([record(a), record(a, { name: 'b', type: 'int' })])).toHaveLength(1);
    expect(incompatibilities([record(a), record({ name: 'a', type: 'int' })])).toHaveLength(2);
    expect(
      incompatibilities([record({ name: 'a', type: 'int' }), record({ name: 'a', type: 'long' })]),
    ).toHaveLength(1);
  });
});

describe('a second version of a schema', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cas-schemas-'));
    cpSync(EVENTS, folder, { recursive: true });
    const schema = JSON.parse(readFileSync(path.join(EVENTS, 'ledger-entry.avsc'), 'utf8'));
    schema.fields.push({ name: 'note', type: ['null', 'string'], default: null });
    writeFileSync(path.join(folder, 'ledger-entry@2.avsc'), JSON.stringify(schema));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const ENTRY: LedgerEntry = {
    v: 1,
    kind: 'SIGNAL',
    id: 's1',
    customerId: 'c1',
    at: '2026-11-21T10:00:00.000Z',
    coreSalt: Buffer.alloc(32, 1),
    core: '{}',
    coreHash: Buffer.alloc(32, 2),
    detailHash: Buffer.alloc(32, 3),
    detail: { kekId: 'k', wrappedKey: Buffer.alloc(40), iv: Buffer.alloc(12), ciphertext: Buffer.alloc(16) },
  };

  test('fails startup without an id', () => {
    expect(() => bundledCodec(folder)).toThrow('no id for cas.v1.LedgerEntry@2');
  });
  test('is used for writing from then on, and reads records of the first', () => {
    const ids = { ...idsOf(folder), 'cas.v1.LedgerEntry@2': 3 };
    writeFileSync(path.join(folder, 'ids.json'), JSON.stringify(ids));
    const [older, newer] = [bundledCodec(EVENTS), bundledCodec(folder)];
    const read = newer.decodeLedgerEntry(older.encodeLedgerEntry(ENTRY));
    expect({ ...read }).toMatchObject({ id: 's1', note: null });
    const written = newer.encodeLedgerEntry(read);
    expect(written.readUInt32BE(1)).toBe(3);
    expect(() => older.decodeLedgerEntry(written)).toThrow(UnknownSchema);
  });
});
