import type avro from 'avsc';

/**
 * Checks that every version of a schema can read what every other one wrote (FULL_TRANSITIVE in registry terms): after
 * a rollback the old release reads what the newer one wrote, and a replay reads what the oldest wrote. Returns one
 * sentence per incompatible pair; an empty list means compatible.
 */
export function incompatibilities(versions: readonly avro.Type[]): string[] {
  const faults: string[] = [];
  versions.forEach((reader, r) => {
    versions.forEach((writer, w) => {
      if (r === w) return;
      try {
        reader.createResolver(writer);
      } catch (error) {
        faults.push(`version ${r + 1} cannot read version ${w + 1}: ${(error as Error).message}`);
      }
    });
  });
  return faults;
}
