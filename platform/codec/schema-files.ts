import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import avro from 'avsc';
import { packageRoot } from '#platform/config/package-root.ts';

export const EVENTS_FOLDER = path.join(packageRoot(), 'schemas', 'events');

/** One version of an event's schema. */
export interface EventSchema {
  /** `namespace.Name`, the same for all versions of an event. */
  readonly name: string;
  /** From 1. */
  readonly version: number;
  readonly type: avro.Type;
  /**
   * The file's JSON without whitespace, as a registry stores it. Registries compare the text of schemas, comments
   * included, so a released file never changes.
   */
  readonly text: string;
}

/** Key of a schema in `ids.json`: its full name, plus `@<version>` from version 2. */
export const schemaKey = (name: string, version: number): string =>
  version === 1 ? name : `${name}@${version}`;

/**
 * All event schemas of a folder: `<event>.avsc` is version 1, `<event>@2.avsc` version 2. Each file has its own type
 * registry, because events may use the same name for an inner record.
 */
export function readEventSchemas(folder: string): EventSchema[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.avsc'))
    .sort()
    .map((file) => {
      const version = Number(/@(\d+)\.avsc$/.exec(file)?.[1] ?? 1);
      const schema = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as avro.Schema;
      const type = avro.Type.forSchema(schema, { registry: {} });
      if (type.name === undefined) throw new Error(`${file}: an event schema must be a named record`);
      return { name: type.name, version, type, text: JSON.stringify(schema) };
    });
}
