import type avro from 'avsc';
import {
  type AuditTriplet,
  type CorrelationFinding,
  type FoldedEntries,
  type LedgerEntry,
  SCHEMA_NAMES,
} from '#schemas/events/events.ts';
import { type Codec, Undecodable, Unencodable, UnknownSchema } from './port.ts';
import type { EventSchema } from './schema-files.ts';

const MAGIC = 0;
const HEADER_BYTES = 5;

/** Where schema ids come from. */
interface SchemaIds {
  /** Ids of this version. New records carry the first. Throws if there is none, which fails startup. */
  of(schema: EventSchema): readonly number[];
  /** The schema with this id, or null if there is none. Rejects with `RegistryUnavailable`. */
  schemaOf(id: number): Promise<avro.Type | null>;
}

/**
 * The codec of all events, whatever assigns its schema ids. Synchronous, based on avsc, because the registry's client
 * would encode and decode with a promise per record.
 */
export function eventCodec(schemas: readonly EventSchema[], ids: SchemaIds): Codec {
  const triplet = codecOf<AuditTriplet>(SCHEMA_NAMES.triplet, schemas, ids);
  const ledger = codecOf<LedgerEntry>(SCHEMA_NAMES.ledger, schemas, ids);
  const folded = codecOf<FoldedEntries>(SCHEMA_NAMES.folded, schemas, ids);
  const finding = codecOf<CorrelationFinding>(SCHEMA_NAMES.finding, schemas, ids);
  const learnId = async (id: number): Promise<boolean> => {
    const schema = await ids.schemaOf(id);
    return schema !== null && [triplet, ledger, folded, finding].some((event) => event.learn(id, schema));
  };
  /** Many records of a batch may carry the same new id; it is looked up once. */
  const asked = new Map<number, Promise<boolean>>();
  return {
    encodeTriplet: triplet.encode,
    decodeTriplet: triplet.decode,
    encodeLedgerEntry: ledger.encode,
    decodeLedgerEntry: ledger.decode,
    encodeFoldedEntries: folded.encode,
    decodeFoldedEntries: folded.decode,
    encodeFinding: finding.encode,
    decodeFinding: finding.decode,
    learn: async (bytes) => {
      if (bytes.length < HEADER_BYTES || bytes[0] !== MAGIC) return false;
      const id = bytes.readUInt32BE(1);
      const answer = asked.get(id) ?? learnId(id).finally(() => asked.delete(id));
      asked.set(id, answer);
      return answer;
    },
  };
}

interface EventCodec<Event> {
  encode(event: Event): Buffer;
  decode(bytes: Buffer): Event;
  /** Whether the schema is a readable version of this event; if so, its id is known from then on. */
  learn(id: number, writer: avro.Type): boolean;
}

/** Most records are smaller: they are encoded in a shared buffer and copied once, into a buffer of their own size. */
const WRITING_BYTES = 16 * 1024;

/** Writes with the newest version; reads any version, resolved to the newest. */
function codecOf<Event>(name: string, schemas: readonly EventSchema[], ids: SchemaIds): EventCodec<Event> {
  const versions = schemas.filter((schema) => schema.name === name);
  const newest = versions.reduce<EventSchema | undefined>(
    (best, one) => (best === undefined || one.version > best.version ? one : best),
    undefined,
  );
  if (newest === undefined) throw new Error(`no schema file for ${name}; reinstall the service`);
  const [writerId] = ids.of(newest);
  if (writerId === undefined) throw new Error(`no schema id for ${name}`);
  const writing = Buffer.alloc(WRITING_BYTES);
  writing.writeUInt8(MAGIC, 0);
  writing.writeUInt32BE(writerId, 1);
  const readers = new Map<number, avro.Resolver | undefined>();
  for (const writer of versions) {
    const resolver = writer === newest ? undefined : newest.type.createResolver(writer.type);
    for (const id of ids.of(writer)) readers.set(id, resolver);
  }

  return {
    encode: (event) => {
      try {
        // Negative: not enough room.
        const end = newest.type.encode(event, writing, HEADER_BYTES);
        if (end > 0) return Buffer.from(writing.subarray(0, end));
        return Buffer.concat([writing.subarray(0, HEADER_BYTES), newest.type.toBuffer(event)]);
      } catch {
        // The library's message quotes the value, so it is dropped.
        throw new Unencodable(name, misfit(newest.type, event));
      }
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
    learn: (id, writer) => {
      // Another record type with the same fields would resolve as well.
      if (writer.name !== name) return false;
      try {
        readers.set(id, newest.type.createResolver(writer));
        return true;
      } catch {
        return false;
      }
    },
  };
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
