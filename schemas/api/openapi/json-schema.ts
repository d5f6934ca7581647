import { z } from 'zod';

export type Json = Readonly<Record<string, unknown>>;

/** Makes JSON Schemas; a named one (`.meta({ id })`) is written once, among the components. */
export interface SchemaSet {
  /** Schema of input to the service. */
  sent(schema: z.ZodType): Json;
  /** Schema of an answer. It allows additional fields. */
  answered(schema: z.ZodType): Json;
  /** Every named schema used so far, by name. */
  named(): Record<string, Json>;
}

const COMPONENTS = '#/components/schemas/';

export function schemaSet(): SchemaSet {
  const named = new Map<string, Json>();
  const schemaOf = (schema: z.ZodType, isAnswer: boolean): Json => {
    const {
      $schema: _dialect,
      $defs = {},
      ...shape
    } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io: 'input',
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        if (isAnswer) dropSafeBounds(jsonSchema);
      },
    });
    for (const [name, definition] of Object.entries($defs)) named.set(name, moved(definition) as Json);
    return moved(shape) as Json;
  };
  return {
    sent: (schema) => schemaOf(schema, false),
    answered: (schema) => schemaOf(schema, true),
    named: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** All our integers are safe in JSON anyway, and API explorers would show the bounds as examples. */
function dropSafeBounds(schema: { minimum?: number | undefined; maximum?: number | undefined }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** Rewrites references into `$defs` as references into the components. */
function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [
      name,
      name === '$ref' && typeof child === 'string' ? child.replace('#/$defs/', COMPONENTS) : moved(child),
    ]),
  );
}
