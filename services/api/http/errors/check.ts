import type { z } from 'zod';
import { Refusal } from '#platform/flow/refusal.ts';

const MAX_DETAILS = 20;

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * The value as the schema parses it; throws INVALID_REQUEST with all of its faults. Many clients send null for a field
 * that they leave out, so null of an optional field is read as absent; where null has a meaning, the schema takes it.
 */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  // The library takes several times as long with messages of ours, so only what is refused is parsed with them.
  const plain = schema.safeParse(value);
  if (plain.success) return plain.data;
  const nulls = nullsAmong(plain.error.issues, value);
  const parsed = schema.safeParse(withoutMembers(value, nulls), { error: sayRequired });
  if (parsed.success) return parsed.data;
  const wereNull = new Set(nulls.map((path) => path.join('.')));
  const details = parsed.error.issues.slice(0, MAX_DETAILS).map((issue) => {
    const path = issue.path.join('.');
    return { path, message: wereNull.has(path) ? `${issue.message}; null was sent` : issue.message };
  });
  const first = details[0];
  const message = first ? `${first.path === '' ? 'body' : first.path}: ${first.message}` : undefined;
  throw new Refusal('INVALID_REQUEST', { details, ...(message === undefined ? {} : { message }) });
}

/** A missing field is called that, and not "undefined", which does not exist in JSON. */
const sayRequired = (issue: {
  readonly code?: string | undefined;
  readonly input?: unknown;
}): string | undefined =>
  (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined
    ? 'this field is required'
    : undefined;

/** Where members are null that the schema refused, within the alternatives of a union too. */
function nullsAmong(issues: readonly Issue[], value: unknown): Path[] {
  const places = new Map<string, Path>();
  const visit = (issue: Issue, above: Path): void => {
    const path = [...above, ...issue.path];
    if (valueAt(value, path) === null && isMember(value, path)) places.set(JSON.stringify(path), path);
    if (issue.code === 'invalid_union') for (const inner of issue.errors.flat()) visit(inner, path);
  };
  for (const issue of issues) visit(issue, []);
  return [...places.values()];
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
