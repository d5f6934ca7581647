import { z } from 'zod';

export type Json = Readonly<Record<string, unknown>>;

/** Creates JSON Schemas; a named one (`.meta({ id })`) is written once, among the components. */
export interface SchemaSet {
  /** Schema of input to the service. */
  sent(schema: z.ZodType): Json;
  /** Like `sent`, for a body, where null means that an optional field is absent. */
  sentBody(schema: z.ZodType): Json;
  /** Schema of a response. It allows additional fields. */
  answered(schema: z.ZodType): Json;
  /** Every named schema used so far, by name. */
  named(): Record<string, Json>;
}

const COMPONENTS = '#/components/schemas/';

export function schemaSet(): SchemaSet {
  const named = new Map<string, Json>();
  const schemaOf = (schema: z.ZodType, use: 'query' | 'body' | 'answer'): Json => {
    const {
      $schema: _dialect,
      $defs = {},
      ...shape
    } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io: 'input',
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        if (use === 'answer') dropSafeBounds(jsonSchema);
      },
    });
    const finished = (part: unknown) => (use === 'body' ? withNulls(moved(part)) : moved(part)) as Json;
    for (const [name, definition] of Object.entries($defs)) named.set(name, finished(definition));
    return finished(shape);
  };
  return {
    sent: (schema) => schemaOf(schema, 'query'),
    sentBody: (schema) => schemaOf(schema, 'body'),
    answered: (schema) => schemaOf(schema, 'answer'),
    named: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** All our integers are safe in JSON anyway, and API explorers would show the bounds as examples. */
function dropSafeBounds(schema: { minimum?: number | undefined; maximum?: number | undefined }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** Allows null for each optional property and each value of a map, at every depth. */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, withNulls(child)]));
  const {
    type,
    properties,
    additionalProperties: values,
    required = [],
  } = schema as {
    readonly type?: unknown;
    readonly properties?: Readonly<Record<string, Json>>;
    readonly additionalProperties?: unknown;
    readonly required?: readonly string[];
  };
  if (type !== 'object') return schema;
  if (properties === undefined)
    return isTyped(values) ? { ...schema, additionalProperties: nullable(values) } : schema;
  const orNull = ([name, property]: [string, Json]): [string, Json] =>
    required.includes(name) ? [name, property] : [name, nullable(property)];
  return { ...schema, properties: Object.fromEntries(Object.entries(properties).map(orNull)) };
}

const isTyped = (values: unknown): values is Json =>
  typeof values === 'object' && values !== null && 'type' in values;

/** Keeps descriptions, defaults and examples at the property, where readers look for them. */
function nullable(property: Json): Json {
  const { description, default: preset, examples, ...shape } = property;
  const notes = { description, default: preset, examples };
  return {
    ...Object.fromEntries(Object.entries(notes).filter(([, note]) => note !== undefined)),
    anyOf: [shape, { type: 'null' }],
  };
}

/** Changes references into `$defs` to references into the components. */
function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(withoutOwnType(value)).map(([name, child]) => [
      name,
      name === '$ref' && typeof child === 'string' ? child.replace('#/$defs/', COMPONENTS) : moved(child),
    ]),
  );
}

/** Alternatives in a field's notes replace what its schema is parsed to: a prompt is a text, or messages. */
function withoutOwnType(value: object): object {
  const { type, minLength: _, ...rest } = value as Json;
  return type === 'string' && 'anyOf' in rest ? rest : value;
}
