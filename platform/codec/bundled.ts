import { readFileSync } from 'node:fs';
import path from 'node:path';
import { eventCodec } from './event-codec.ts';
import type { Codec } from './port.ts';
import { EVENTS_FOLDER, readEventSchemas, schemaKey } from './schema-files.ts';

/**
 * The codec whose schema ids come from the committed list `schemas/events/ids.json`. Every schema file must have an id
 * there; a missing one fails startup, because its records could not be read back.
 */
export function bundledCodec(folder = EVENTS_FOLDER): Codec {
  const ids = JSON.parse(readFileSync(path.join(folder, 'ids.json'), 'utf8')) as Record<string, number>;
  return eventCodec(readEventSchemas(folder), {
    of: ({ name, version }) => {
      const key = schemaKey(name, version);
      const id = ids[key];
      if (id === undefined)
        throw new Error(`schemas/events/ids.json has no id for ${key}; add the next free one`);
      return [id];
    },
    // The list is the only source: an id that it lacks was assigned by a newer release, or never.
    schemaOf: async () => null,
  });
}
