import { isTime } from '../time.ts';

/**
 * Types of ledger fields: exactly the values that canonical JSON can write and the tables store without loss. A value
 * that a column would round, truncate or wrap would be served differently from how it was hashed.
 */
export interface FieldType<Value> {
  readonly holds: (value: unknown) => value is Value;
  /** The same type as data, for value generators. */
  readonly form: Form;
}

export type Form =
  | { readonly is: 'text' | 'flag' | 'number' | 'time' | 'hash' | 'ranges' }
  | { readonly is: 'whole'; readonly most: number }
  | { readonly is: 'shortText'; readonly most: number }
  | { readonly is: 'oneOf'; readonly values: readonly string[] }
  | { readonly is: 'nullable'; readonly of: Form }
  | { readonly is: 'list'; readonly of: Form; readonly most: number | null }
  | { readonly is: 'object'; readonly fields: Fields; readonly optional: Fields };

export type Fields = Readonly<Record<string, FieldType<unknown>>>;

/** Type of an object with these fields. */
export type ValuesOf<Of extends Fields> = {
  readonly [Name in keyof Of]: Of[Name] extends FieldType<infer Value> ? Value : never;
};

type Check = (value: unknown) => boolean;

/** The only cast from a check to its type; the checks below justify it. */
export const fieldType = <Value>(form: Form, check: Check): FieldType<Value> => ({
  form,
  holds: check as FieldType<Value>['holds'],
});

const isText: Check = (value) => typeof value === 'string' && value.isWellFormed();
export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const HASH = /^[0-9a-f]{64}$/;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Rejects lone surrogates. */
export const text = fieldType<string>({ is: 'text' }, isText);
export const flag = fieldType<boolean>({ is: 'flag' }, (value) => typeof value === 'boolean');
export const number = fieldType<number>({ is: 'number' }, Number.isFinite);
/** A nonnegative safe integer. */
export const count = fieldType<number>({ is: 'whole', most: Number.MAX_SAFE_INTEGER }, isCount);
export const uint16 = fieldType<number>(
  { is: 'whole', most: 0xffff },
  (value) => isCount(value) && value <= 0xffff,
);
/** ISO 8601 UTC with milliseconds. */
export const time = fieldType<string>({ is: 'time' }, isTime);
/** 32 bytes as lower-case hex. */
export const hash = fieldType<string>(
  { is: 'hash' },
  (value) => typeof value === 'string' && HASH.test(value),
);

/** Text of at most `most` UTF-16 code units. */
export const textUpTo = (most: number): FieldType<string> =>
  fieldType({ is: 'shortText', most }, (value) => isText(value) && (value as string).length <= most);

export const oneOf = <const Value extends string>(...values: readonly Value[]): FieldType<Value> =>
  fieldType({ is: 'oneOf', values }, (value) => (values as readonly unknown[]).includes(value));

export const nullable = <Value>({ form, holds }: FieldType<Value>): FieldType<Value | null> =>
  fieldType({ is: 'nullable', of: form }, (value) => value === null || holds(value));

/** `most`: maximum number of items; by default as many as fit into the ledger entry. */
export const listOf = <Value>(
  { form, holds }: FieldType<Value>,
  most: number | null = null,
): FieldType<readonly Value[]> =>
  fieldType({ is: 'list', of: form, most }, (value) => {
    if (!Array.isArray(value) || (most !== null && value.length > most)) return false;
    // `every` would skip array holes, which canonical JSON cannot write.
    for (let i = 0; i < value.length; i += 1) if (!holds(value[i])) return false;
    return true;
  });

/** An object with all of `fields`, any of `optional`, and nothing else. */
export function objectOf<const Of extends Fields, const Optional extends Fields = Record<never, never>>(
  fields: Of,
  optional = {} as Optional,
): FieldType<ValuesOf<Of> & Partial<ValuesOf<Optional>>> {
  const known = Object.keys(optional);
  return fieldType({ is: 'object', fields, optional }, (value) => {
    if (!isObject(value)) return false;
    const present = known.filter((name) => Object.hasOwn(value, name));
    if (!present.every((name) => optional[name]!.holds(value[name]))) return false;
    return (
      holdsAll(fields, value) && Object.keys(value).length === Object.keys(fields).length + present.length
    );
  });
}

function holdsAll(fields: Fields, value: Readonly<Record<string, unknown>>): boolean {
  for (const name in fields) {
    if (!Object.hasOwn(value, name) || !fields[name]!.holds(value[name])) return false;
  }
  return true;
}
