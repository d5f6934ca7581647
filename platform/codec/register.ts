import type { RegistryOptions } from './registry-address.ts';
import { registryClient } from './registry-client.ts';
import { RegistryRefusal } from './registry-faults.ts';
import { EVENTS_FOLDER, readEventSchemas, schemaKey } from './schema-files.ts';
import { subjectsOf } from './subjects.ts';

/** The registry rejects a schema, because it would break readers or writers of registered ones. */
export class SchemaRefused extends Error {
  constructor(schema: string, subject: string, reason: string) {
    super(
      `the schema registry rejected ${schema} under ${subject}: ${reason}. Schemas can only gain fields with a default; released files must not change`,
    );
    this.name = 'SchemaRefused';
  }
}

/**
 * Registers every version of every event, oldest first, under the subjects of its topics, which from then on accept
 * only compatible versions (FULL_TRANSITIVE). Idempotent: existing registrations are unchanged. Returns `<schema> under
 * <subject>` for each. Rejects with `SchemaRefused` or `RegistryUnavailable`.
 */
export async function registerSchemas(
  options: RegistryOptions,
  folder = EVENTS_FOLDER,
): Promise<{ registered: string[]; existing: string[] }> {
  const client = registryClient(options);
  const oldestFirst = readEventSchemas(folder).sort((a, b) => a.version - b.version);
  const registered: string[] = [];
  const existing: string[] = [];
  for (const { name, version, text } of oldestFirst) {
    const schema = schemaKey(name, version);
    for (const subject of subjectsOf(name)) {
      const isThere = (await client.idOf(subject, text)) !== null;
      try {
        // Before the first version, or another writer could register one that this rule forbids.
        await client.requireFullCompatibility(subject);
        if (!isThere) await client.register(subject, text);
      } catch (error) {
        if (error instanceof RegistryRefusal) throw new SchemaRefused(schema, subject, error.message);
        throw error;
      }
      (isThere ? existing : registered).push(`${schema} under ${subject}`);
    }
  }
  return { registered, existing };
}
