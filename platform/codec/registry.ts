import { eventCodec } from './event-codec.ts';
import type { Codec } from './port.ts';
import type { RegistryOptions } from './registry-address.ts';
import { registryClient } from './registry-client.ts';
import { EVENTS_FOLDER, type EventSchema, readEventSchemas, schemaKey } from './schema-files.ts';
import { subjectsOf } from './subjects.ts';

export type { RegistryOptions } from './registry-address.ts';

/** A version of an event is not registered, so no program could write its records, or read them. */
export class SchemaNotRegistered extends Error {
  constructor(what: readonly string[]) {
    super(`the schema registry lacks ${what.join(', ')}: run "cas migrate", then start again`);
    this.name = 'SchemaNotRegistered';
  }
}

/**
 * The codec whose schema ids a Confluent-compatible registry assigns. Looks up, once, every version that this release
 * knows; registers nothing. `learn` looks up ids of newer releases when they occur. Rejects with `SchemaNotRegistered`,
 * or with `RegistryUnavailable` that says what to check.
 */
export async function registryCodec(options: RegistryOptions, folder = EVENTS_FOLDER): Promise<Codec> {
  const client = registryClient(options);
  const schemas = readEventSchemas(folder);
  const missing: string[] = [];
  const found = new Map<EventSchema, number[]>();
  for (const schema of schemas) {
    const ids: number[] = [];
    for (const subject of subjectsOf(schema.name)) {
      const id = await client.idOf(subject, schema.text);
      if (id === null) missing.push(`${schemaKey(schema.name, schema.version)} under ${subject}`);
      else if (!ids.includes(id)) ids.push(id);
    }
    found.set(schema, ids);
  }
  if (missing.length > 0) throw new SchemaNotRegistered(missing);
  return eventCodec(schemas, {
    of: (schema) => found.get(schema) ?? [],
    schemaOf: client.schemaOf,
  });
}
