import type { RouteContract } from '#schemas/api/contract.ts';
import { EXAMPLES, SAMPLES, type SampleName } from '#schemas/api/openapi/request-examples.ts';

/** Builds requests to any operation from its example. */

/** Records that replace the samples. */
export type Records = Readonly<Partial<Record<SampleName, string>>>;

/** A parameter or field that takes a record's id; the `name` of a nested field is dotted. */
export interface Reference {
  readonly in: 'path' | 'query' | 'body';
  readonly name: string;
  readonly sample: SampleName;
}

export interface ExampleRequest {
  readonly method: RouteContract['method'];
  readonly url: string;
  /** Undefined without a body. */
  readonly body: unknown;
}

const SAMPLE_OF = new Map(
  Object.entries(SAMPLES).map(([name, value]) => [value as string, name as SampleName]),
);
const exampleOf = (route: RouteContract) => EXAMPLES[route.operationId] ?? {};

/** Every parameter and field in the operation's example that takes a record's id. */
export function referencesOf(route: RouteContract): Reference[] {
  const { path = {}, query = {}, body } = exampleOf(route);
  return [...found('path', path), ...found('query', query), ...found('body', body)];
}

function found(where: Reference['in'], value: unknown, prefix = ''): Reference[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const name = prefix + key;
    const sample = typeof child === 'string' ? SAMPLE_OF.get(child) : undefined;
    return sample === undefined ? found(where, child, `${name}.`) : [{ in: where, name, sample }];
  });
}

export interface RequestOptions {
  readonly records?: Records;
  /** Replaces the record of one parameter or field only; an optional query parameter is sent only if it is this one. */
  readonly at?: { readonly reference: Reference; readonly value: string };
}

/** Required query parameters of an operation. */
function neededQuery(route: RouteContract): Readonly<Record<string, string>> {
  const isOptional = route.query === undefined || route.query.safeParse({}).success;
  return isOptional ? {} : (exampleOf(route).query ?? {});
}

/** The example's request: every path parameter and body field, but no optional parameters. */
export function requestOf(route: RouteContract, { records = {}, at }: RequestOptions = {}): ExampleRequest {
  const { path = {}, body } = exampleOf(route);
  const valueAt = (where: Reference['in'], name: string, value: string): string => {
    if (at?.reference.in === where && at.reference.name === name) return at.value;
    const sample = SAMPLE_OF.get(value);
    return sample === undefined ? value : (records[sample] ?? value);
  };
  const pathname = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(valueAt('path', name, path[name] ?? '')),
  );
  const query = new URLSearchParams(
    Object.entries(neededQuery(route)).map(
      ([name, value]) => [name, valueAt('query', name, value)] as [string, string],
    ),
  );
  if (at?.reference.in === 'query') query.set(at.reference.name, at.value);
  return {
    method: route.method,
    url: query.size === 0 ? pathname : `${pathname}?${query}`,
    body: replaced(body, (name, value) => (name === 'expiresAt' ? soon() : valueAt('body', name, value))),
  };
}

/** A fixed end date in the example would pass some day. */
const soon = (): string => new Date(Date.now() + 3_600_000).toISOString();

function replaced(value: unknown, replace: (name: string, value: string) => string, name = ''): unknown {
  if (typeof value === 'string') return replace(name, value);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, child]) => [
    key,
    replaced(child, replace, name === '' ? key : `${name}.${key}`),
  ]);
  return Array.isArray(value) ? entries.map(([, child]) => child) : Object.fromEntries(entries);
}
