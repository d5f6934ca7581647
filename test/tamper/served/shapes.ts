import { z } from 'zod';

/** The structure of a response according to its contract, as far as needed to compare responses. */
export type Shape =
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Shape> }
  | { readonly kind: 'list'; readonly item: Shape }
  | { readonly kind: 'value' };

interface JsonSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema | false;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

const VALUE: Shape = { kind: 'value' };

/** A list of plain values, or an object with arbitrary names, counts as one value. */
export function shapeOf(schema: z.ZodType): Shape {
  const root = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as JsonSchema;
  const resolved = (one: JsonSchema): JsonSchema =>
    one.$ref === undefined ? one : root.$defs![one.$ref.slice('#/$defs/'.length)]!;
  const read = (given: JsonSchema): Shape => {
    const { properties, items, anyOf, oneOf, allOf } = resolved(given);
    const parts = anyOf ?? oneOf ?? allOf;
    if (parts !== undefined) return parts.map(read).reduce(joined, VALUE);
    if (properties !== undefined)
      return {
        kind: 'object',
        fields: new Map(Object.entries(properties).map(([name, one]) => [name, read(one)])),
      };
    if (!items) return VALUE;
    const item = read(items);
    return item.kind === 'value' ? VALUE : { kind: 'list', item };
  };
  return withoutRepeat(read(root));
}

function joined(one: Shape, other: Shape): Shape {
  if (one.kind === 'value') return other;
  if (one.kind === 'object' && other.kind === 'object') {
    const fields = new Map(one.fields);
    for (const [name, shape] of other.fields)
      fields.set(name, fields.has(name) ? joined(fields.get(name)!, shape) : shape);
    return { kind: 'object', fields };
  }
  return one;
}

/** Some responses contain their records twice: at the top level or under another name, and in `data`. */
function withoutRepeat(shape: Shape): Shape {
  if (shape.kind !== 'object') return shape;
  const data = shape.fields.get('data');
  if (data === undefined || data.kind === 'value') return shape;
  const own = fieldsOf(data).join();
  const others = [...shape.fields].filter(
    ([name, one]) => name !== 'data' && fieldsOf(one).join() !== own && !isWithin(data, name),
  );
  return { kind: 'object', fields: new Map([['data', data], ...others]) };
}

const isWithin = (data: Shape, name: string): boolean => data.kind === 'object' && data.fields.has(name);

/** Fields that identify a record in a list; the first one present is used. */
const IDENTITIES = [
  'id',
  'auditId',
  'index',
  'leafIndex',
  'keyId',
  'controlId',
  'code',
  'policyId',
  'version',
];

const ENVELOPE = /^data(?:\.|(?=\[))/;
/** The field that stands for the presence of a list's records. */
export const RECORDS = 'which records';

const nameIn = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
const shown = (path: string): string => path.replace(ENVELOPE, '').replace(/^\[\]\.?/, '');

/** Names of all fields, without the envelope. */
export function fieldsOf(shape: Shape, path = ''): string[] {
  if (shape.kind === 'object')
    return [...shape.fields].flatMap(([name, one]) => fieldsOf(one, nameIn(path, name)));
  if (shape.kind === 'list') return [recordsOf(path), ...fieldsOf(shape.item, `${path}[]`)];
  return [shown(path)];
}

const recordsOf = (path: string): string => `${shown(`${path}[]`)} ${RECORDS}`.trim();

/** Values of a response by field, and by record. */
export type Values = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function valuesOf(shape: Shape, answer: unknown): Values {
  const values = new Map<string, Map<string, string>>();
  const note = (field: string, record: string, value: unknown): void => {
    const known = values.get(field) ?? new Map<string, string>();
    values.set(field, known.set(record, JSON.stringify(value) ?? 'absent'));
  };
  const read = (one: Shape, value: unknown, path: string, record: string): void => {
    if (one.kind === 'object') {
      for (const [name, field] of one.fields)
        read(
          field,
          (value as Record<string, unknown> | null | undefined)?.[name],
          nameIn(path, name),
          record,
        );
    } else if (one.kind === 'list') {
      const items = Array.isArray(value) ? value : [];
      const names = items.map((item, index) => identityOf(item, index));
      note(recordsOf(path), record, [...names].sort());
      for (const [index, item] of items.entries())
        read(one.item, item, `${path}[]`, `${record}/${names[index]}`);
    } else note(shown(path), record, value);
  };
  read(shape, answer, '', '');
  return values;
}

function identityOf(item: unknown, index: number): string {
  const record = item as Readonly<Record<string, unknown>>;
  const name = IDENTITIES.find((one) => record[one] !== undefined && record[one] !== null);
  return name === undefined ? String(index) : String(record[name]);
}

/** Fields whose value differs in a record that both responses have. */
export function changedFields(before: Values, after: Values): string[] {
  return [...before].flatMap(([field, records]) => {
    const others = after.get(field);
    const isChanged = [...records].some(
      ([record, value]) => others?.has(record) === true && others.get(record) !== value,
    );
    return isChanged ? [field] : [];
  });
}
