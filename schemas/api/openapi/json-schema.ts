import { z } from 'zod';

export type Json = Readonly<Record<string, unknown>>;

/** Makes JSON Schemas; one with a name of its own (`.meta({ id })`) is written once, among the components. */
export interface SchemaSet {
  /** Of what is sent to the service. */
  sent(schema: z.ZodType): Json;
  /** Of an answer. It does not promise that nothing is ever added. */
  answered(schema: z.ZodType): Json;
  /** Every named schema that was met so far, by name. */
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

/** That our integers are exact in JSON goes without saying, and readers would show the bounds as examples. */
function dropSafeBounds(schema: { minimum?: number | undefined; maximum?: number | undefined }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** References into `$defs` become references into the components. */
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
