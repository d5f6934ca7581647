import { readFileSync } from 'node:fs';
import path from 'node:path';
import type avro from 'avsc';
import { type AuditTriplet, type LedgerEntry, SCHEMA_NAMES } from '../../schemas/events/events.ts';
import { packageRoot } from '../runtime/package-root.ts';
import { type Codec, Undecodable, Unencodable, UnknownSchema } from './port.ts';
import { type EventSchema, readEventSchemas, schemaKey } from './schema-files.ts';

const MAGIC = 0;
const HEADER_BYTES = 5;

/**
 * The codec whose schema ids come from the committed list `schemas/events/ids.json`. Every schema file must have an
 * id there; a missing one is a start fault, because its records could not be read back.
 */
export function bundledCodec(folder = path.join(packageRoot(), 'schemas', 'events')): Codec {
  const ids = JSON.parse(readFileSync(path.join(folder, 'ids.json'), 'utf8')) as Record<string, number>;
  const schemas = readEventSchemas(folder);
  const triplet = eventCodec<AuditTriplet>(SCHEMA_NAMES.triplet, schemas, ids);
  const ledger = eventCodec<LedgerEntry>(SCHEMA_NAMES.ledger, schemas, ids);
  return {
    encodeTriplet: triplet.encode,
    decodeTriplet: triplet.decode,
    encodeLedgerEntry: ledger.encode,
    decodeLedgerEntry: ledger.decode,
  };
}

interface EventCodec<Event> {
  encode(event: Event): Buffer;
  decode(bytes: Buffer): Event;
}

/** Writes with the newest version; reads what any version wrote, resolved to the newest. */
function eventCodec<Event>(
  name: string,
  schemas: readonly EventSchema[],
  ids: Readonly<Record<string, number>>,
): EventCodec<Event> {
  const versions = schemas.filter((schema) => schema.name === name);
  const newest = versions.reduce<EventSchema | undefined>(
    (best, one) => (best === undefined || one.version > best.version ? one : best),
    undefined,
  );
  if (newest === undefined) throw new Error(`no schema file for ${name}; the installation is broken`);
  const writerId = idOf(newest, ids);
  const readers = new Map(
    versions.map((writer) => [
      idOf(writer, ids),
      writer === newest ? undefined : newest.type.createResolver(writer.type),
    ]),
  );

  return {
    encode: (event) => {
      let body: Buffer;
      try {
        body = newest.type.toBuffer(event);
      } catch {
        // The library's message quotes the value, so it goes no further.
        throw new Unencodable(name, misfit(newest.type, event));
      }
      const bytes = Buffer.allocUnsafe(HEADER_BYTES + body.length);
      bytes.writeUInt8(MAGIC, 0);
      bytes.writeUInt32BE(writerId, 1);
      body.copy(bytes, HEADER_BYTES);
      return bytes;
    },
    decode: (bytes) => {
      if (bytes.length < HEADER_BYTES) throw new Undecodable(name, `${bytes.length} bytes are too few`);
      if (bytes[0] !== MAGIC) throw new Undecodable(name, 'the first byte is not the wire format’s');
      const id = bytes.readUInt32BE(1);
      if (!readers.has(id)) throw new UnknownSchema(name, id);
      try {
        return newest.type.fromBuffer(bytes.subarray(HEADER_BYTES), readers.get(id)) as Event;
      } catch {
        throw new Undecodable(name, 'the body does not follow its schema');
      }
    },
  };
}

function idOf(schema: EventSchema, ids: Readonly<Record<string, number>>): number {
  const key = schemaKey(schema.name, schema.version);
  const id = ids[key];
  if (id === undefined)
    throw new Error(`schemas/events/ids.json has no id for ${key}; add the next free one`);
  return id;
}

/** Path of the first field that does not fit. */
function misfit(type: avro.Type, event: unknown): string {
  let field = '';
  type.isValid(event, {
    errorHook: (path) => {
      field ||= path.join('.');
    },
  });
  return field || '(the record)';
}
