import type { z } from 'zod';
import { Refusal } from '#platform/flow/refusal.ts';
import type { ErrorDetail } from '#schemas/api/errors.ts';
import { fieldNames } from '#schemas/api/strict.ts';
import { nearestName, shownName } from '#schemas/nearest-name.ts';
import { mistyped, type Named, sayUnknown } from './unknown-names.ts';

const MAX_DETAILS = 20;

type Issue = z.core.$ZodIssue;
type Unknown = z.core.$ZodIssueUnrecognizedKeys;
type Path = readonly PropertyKey[];

/**
 * The value as parsed by the schema; throws INVALID_REQUEST with all faults. Many clients send null for a field that
 * they omit, so null in an optional field is read as absent; where null has a meaning, the schema accepts it. `kind`:
 * what the schema's names are.
 */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  kind: Named = 'field',
): z.output<Schema> {
  // The library is several times slower with custom messages, so only refused values are parsed with them.
  const plain = schema.safeParse(value);
  if (plain.success) return plain.data;
  const nulls = nullsAmong(plain.error.issues, value);
  const parsed = schema.safeParse(withoutMembers(value, nulls), { error: messageFor(kind) });
  if (parsed.success) return parsed.data;
  const wereNull = new Set(nulls.map((path) => path.join('.')));
  const unknown = unknownNames(schema, value, parsed.error.issues, kind);
  const others = parsed.error.issues
    .filter((issue) => unknownWithin(issue) === null)
    .map((issue) => {
      const path = issue.path.join('.');
      return { path, message: wereNull.has(path) ? `${issue.message}; null was sent` : issue.message };
    });
  const details = [...unknown, ...others].slice(0, MAX_DETAILS);
  const first = details[0];
  if (first === undefined) throw new Refusal('INVALID_REQUEST');
  // These name the field themselves.
  const message = unknown.includes(first) ? first.message : `${first.path || 'body'}: ${first.message}`;
  throw new Refusal('INVALID_REQUEST', { details, message });
}

/** Refuses any parameter, for operations without parameters. */
export function checkNone(query: Readonly<Record<string, unknown>>): void {
  for (const _ in query) throw unknownParameters(Object.keys(query));
}

function unknownParameters(names: readonly string[]): Refusal {
  const message = sayUnknown('parameter', names, []);
  return new Refusal('INVALID_REQUEST', {
    message,
    details: [{ path: shownName(names[0]!) ?? '*', message }],
  });
}

/** Details for unknown names or, if the schema drops those, for required fields that were sent under a similar name. */
function unknownNames(
  schema: z.ZodType,
  value: unknown,
  issues: readonly Issue[],
  kind: Named,
): ErrorDetail[] {
  const first = issues.slice(0, MAX_DETAILS);
  const refused = first.flatMap((issue): ErrorDetail[] => {
    const found = unknownWithin(issue);
    if (found === null) return [];
    // The issue of a union names the fields of one alternative only.
    const known = issue.path.length === 0 ? fieldNames(schema) : [];
    const message = known.length === 0 ? found.message : sayUnknown(kind, found.keys, [...new Set(known)]);
    const above = issue.path.length === 0 ? '' : `${issue.path.join('.')}.`;
    const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
    return [{ path: above + (shownName(found.keys[0] ?? '') ?? '*'), message: where + message }];
  });
  return refused.length > 0 ? refused : first.flatMap((issue) => mistypedField(schema, value, issue));
}

function mistypedField(schema: z.ZodType, value: unknown, issue: Issue): ErrorDetail[] {
  const [field, ...below] = issue.path;
  if (below.length > 0 || typeof field !== 'string' || !isMissing(issue, value)) return [];
  const sent = mistyped(schema, value, field);
  return sent === null
    ? []
    : [{ path: shownName(sent) ?? '*', message: sayUnknown('field', [sent], [field]) }];
}

/** The issue itself or, for a union, the one that names only fields unknown to every alternative. */
function unknownWithin(issue: Issue): Unknown | null {
  if (issue.code === 'unrecognized_keys') return issue;
  if (issue.code !== 'invalid_union') return null;
  const found = issue.errors.map((inner) =>
    inner.find((one): one is Unknown => one.code === 'unrecognized_keys'),
  );
  const isKnown = (name: string): boolean =>
    found.some((one) => one === undefined || !one.keys.includes(name));
  const [fewest] = found
    .flatMap((one) => (one === undefined || one.path.length > 0 ? [] : [one]))
    .sort((a, b) => a.keys.length - b.keys.length);
  return fewest === undefined || fewest.keys.some(isKnown) ? null : fewest;
}

const isMissing = ({ code, path }: Issue, value: unknown): boolean =>
  (code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union') &&
  valueAt(value, path) === undefined;

interface RawIssue {
  readonly code?: string | undefined;
  readonly input?: unknown;
  /** The schema or check that raised it. */
  readonly inst?: unknown;
  readonly keys?: readonly string[] | undefined;
  readonly values?: readonly unknown[] | undefined;
  readonly expected?: string | undefined;
  /** The kind of value whose size is limited, and the limit. */
  readonly origin?: string | undefined;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly inclusive?: boolean | undefined;
  readonly exact?: boolean | undefined;
}

const messageFor =
  (kind: Named) =>
  (issue: RawIssue): string | undefined => {
    if (issue.code === 'unrecognized_keys' && issue.keys !== undefined)
      return sayUnknown(kind, issue.keys, fieldNames(issue.inst as z.core.$ZodType));
    return sayRequired(issue) ?? sayNearest(issue) ?? sayType(issue) ?? saySize(issue);
  };

/** A missing field is called missing, not "undefined", which does not exist in JSON. */
const sayRequired = (issue: RawIssue): string | undefined =>
  (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined
    ? 'this field is required'
    : undefined;

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** The kind of value that was sent, without the value. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a fraction';
  return KINDS[typeof value] ?? 'something else';
}

function sayType({ code, input, expected }: RawIssue): string | undefined {
  const kind = code === 'invalid_type' && expected !== undefined ? KINDS[expected] : undefined;
  return kind === undefined ? undefined : `Expected ${kind}; ${kindOf(input)} was sent`;
}

/** What a size counts; a number has none. */
const COUNTED: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['entry', 'entries'],
};

function saySize(issue: RawIssue): string | undefined {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return undefined;
  const isSmall = issue.code === 'too_small';
  const limit = Number(isSmall ? issue.minimum : issue.maximum);
  const [one, many] = COUNTED[issue.origin ?? ''] ?? ['', ''];
  const counted = limit === 1 ? one : many;
  return `Expected ${boundOf(issue, isSmall)} ${limit} ${counted}`.trimEnd();
}

function boundOf({ exact, inclusive }: RawIssue, isSmall: boolean): string {
  if (exact) return 'exactly';
  if (inclusive === false) return isSmall ? 'more than' : 'less than';
  return isSmall ? 'at least' : 'at most';
}

/** The allowed value that was probably meant; the value that was sent is not repeated. */
function sayNearest({ code, input, values = [] }: RawIssue): string | undefined {
  if (code !== 'invalid_value' || typeof input !== 'string') return undefined;
  const names = values.filter((value) => typeof value === 'string');
  const nearest = nearestName(input, names);
  const expected = names.length === 1 ? `Expected ${names[0]}` : `Expected one of ${names.join(', ')}`;
  return nearest === null ? expected : `${expected}; did you mean ${nearest}?`;
}

/** Paths of null members that the schema refused, including those within a union's alternatives. */
function nullsAmong(issues: readonly Issue[], value: unknown): Path[] {
  const paths = new Map<string, Path>();
  const visit = (issue: Issue, above: Path): void => {
    const path = [...above, ...issue.path];
    if (valueAt(value, path) === null && isMember(value, path)) paths.set(JSON.stringify(path), path);
    if (issue.code === 'invalid_union') for (const inner of issue.errors.flat()) visit(inner, path);
  };
  for (const issue of issues) visit(issue, []);
  return [...paths.values()];
}

const isMember = (value: unknown, path: Path): boolean =>
  path.length > 0 && !Array.isArray(valueAt(value, path.slice(0, -1)));

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step], value);

/** A copy without the members at these paths. */
function withoutMembers(value: unknown, paths: readonly Path[]): unknown {
  if (paths.length === 0) return value;
  const copy: unknown = structuredClone(value);
  for (const path of paths) {
    const parent = valueAt(copy, path.slice(0, -1)) as Record<PropertyKey, unknown> | undefined;
    const name = path.at(-1);
    if (parent !== undefined && name !== undefined) delete parent[name];
  }
  return copy;
}
