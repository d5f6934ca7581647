import { ServiceError } from '#platform/flow/service-error.ts';
import type { AuditTriplet, CorrelationFinding, FoldedEntries, LedgerEntry } from '#schemas/events/events.ts';

/**
 * Converts events to bytes and back: Avro bodies after the five-byte header of the schema-registry wire format (0x00,
 * then the writer schema's id, big-endian). The bundled adapter takes ids from the committed list, a registry adapter
 * from a registry; both pass `contract.ts`. Ids mean nothing outside the installation that wrote them.
 */
export interface Codec {
  /** Throws `Unencodable`. */
  encodeTriplet(triplet: AuditTriplet): Buffer;
  /** Throws `Undecodable`. */
  decodeTriplet(bytes: Buffer): AuditTriplet;
  /** Throws `Unencodable`. */
  encodeLedgerEntry(entry: LedgerEntry): Buffer;
  /** Throws `Undecodable`. */
  decodeLedgerEntry(bytes: Buffer): LedgerEntry;
  /** Throws `Unencodable`. */
  encodeFoldedEntries(entries: FoldedEntries): Buffer;
  /** Throws `Undecodable`. */
  decodeFoldedEntries(bytes: Buffer): FoldedEntries;
  /** Throws `Unencodable`. */
  encodeFinding(finding: CorrelationFinding): Buffer;
  /** Throws `Undecodable`. */
  decodeFinding(bytes: Buffer): CorrelationFinding;
  /**
   * Call this after `UnknownSchema`: it asks the source of ids for the schema that the bytes were written with. True:
   * the schema is a readable version of one of our events, and the bytes can now be decoded; this is how an older
   * process reads a newer one's records during a rollout. False: the id was never assigned, or belongs to something
   * else; the bytes are poison. Rejects with `RegistryUnavailable`.
   */
  learn(bytes: Buffer): Promise<boolean>;
}

/** The bytes are not an event of the expected kind and never will be. The message never quotes them. */
export class Undecodable extends Error {
  constructor(schema: string, reason: string) {
    super(`not a ${schema}: ${reason}`);
    this.name = 'Undecodable';
  }
}

/** The bytes name a schema that this program does not have: a newer version wrote them, or another service. */
export class UnknownSchema extends Undecodable {
  constructor(schema: string, schemaId: number) {
    super(schema, `unknown schema id ${schemaId}`);
    this.name = 'UnknownSchema';
  }
}

/** A value does not fit its schema, which is a bug. The message names the field, never the value. */
export class Unencodable extends Error {
  constructor(schema: string, field: string) {
    super(`${schema}: the field "${field}" does not fit the schema`);
    this.name = 'Unencodable';
  }
}

/** The schema registry gave no usable answer: an outage, worth retrying, and no record's fault. */
export class RegistryUnavailable extends ServiceError {
  constructor(message: string) {
    super(message);
    this.name = 'RegistryUnavailable';
  }
}
