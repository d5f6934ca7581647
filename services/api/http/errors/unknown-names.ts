import type { z } from 'zod';
import { fieldNames } from '#schemas/api/strict.ts';
import { MAX_NAMES, nearestName, shownName } from '#schemas/nearest-name.ts';

/** The kind of name: a field of a request's body, or a parameter of its query. */
export type Named = 'field' | 'parameter';

/** Maximum number of unknown names that one refusal repeats, and of known names that it lists when none is near. */
const MAX_REPORTED = 5;
const MAX_LISTED = 20;

/** Fields that only answers have. Clients read a record, change it, and send it back whole. */
const SET_BY_SERVICE: readonly string[] = [
  'id',
  'version',
  'createdAt',
  'updatedAt',
  'deletedAt',
  'customerId',
  'data',
];

/** Reports these names as unknown, with what was probably meant. */
export function sayUnknown(kind: Named, names: readonly string[], known: readonly string[]): string {
  const reports = names.slice(0, MAX_REPORTED).map((name) => sayOne(kind, name, known));
  if (names.length > MAX_REPORTED) reports.push(`${names.length - MAX_REPORTED} more are unknown`);
  return reports.reduce((text, one) => `${text}${text.endsWith('?') ? '' : '.'} ${one}`);
}

function sayOne(kind: Named, name: string, known: readonly string[]): string {
  const shown = shownName(name);
  // A name that looks like a secret is not repeated.
  const unknown = shown === null ? `Unknown ${kind} (name withheld)` : `Unknown ${kind} "${shown}"`;
  const nearest = shown === null ? null : nearestName(name, known);
  if (nearest !== null) return `${unknown}: did you mean "${nearest}"?`;
  if (kind === 'field' && SET_BY_SERVICE.includes(name))
    return `${unknown}: the service sets it, leave it out`;
  return `${unknown}: ${listed(kind, known)}`;
}

function listed(kind: Named, known: readonly string[]): string {
  const where = kind === 'field' ? 'this object' : 'this operation';
  if (known.length === 0) return `${where} takes no ${kind}s`;
  const more = known.length > MAX_LISTED ? ` and ${known.length - MAX_LISTED} more` : '';
  return `${where} takes ${known.slice(0, MAX_LISTED).join(', ')}${more}`;
}

/**
 * The name under which a required field was probably sent, for a schema that drops unknown fields. Checks only the
 * first names of an object.
 */
export function mistyped(schema: z.ZodType, value: unknown, missing: string): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const known = new Set(fieldNames(schema));
  let checked = 0;
  for (const name in value) {
    if (checked === MAX_NAMES) return null;
    checked += 1;
    if (!known.has(name) && nearestName(name, [missing]) !== null) return name;
  }
  return null;
}
