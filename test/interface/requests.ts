import type { RouteContract } from '#schemas/api/contract.ts';
import { EXAMPLES, SAMPLES, type SampleName } from '#schemas/api/openapi/request-examples.ts';

/** Requests to any operation, made from its example. */

/** Records that replace the samples. */
export type Records = Readonly<Partial<Record<SampleName, string>>>;

/** Where a request names a record of some kind; the `name` of a nested field is dotted. */
export interface Place {
  readonly in: 'path' | 'query' | 'body';
  readonly name: string;
  readonly sample: SampleName;
}

export interface ExampleRequest {
  readonly method: RouteContract['method'];
  readonly url: string;
  /** Undefined: no body. */
  readonly body: unknown;
}

const SAMPLE_OF = new Map(
  Object.entries(SAMPLES).map(([name, value]) => [value as string, name as SampleName]),
);
const exampleOf = (route: RouteContract) => EXAMPLES[route.operationId] ?? {};

/** Every place at which the operation's example names a record. */
export function placesOf(route: RouteContract): Place[] {
  const { path = {}, query = {}, body } = exampleOf(route);
  return [...found('path', path), ...found('query', query), ...found('body', body)];
}

function found(where: Place['in'], value: unknown, prefix = ''): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const name = prefix + key;
    const sample = typeof child === 'string' ? SAMPLE_OF.get(child) : undefined;
    return sample === undefined ? found(where, child, `${name}.`) : [{ in: where, name, sample }];
  });
}

export interface RequestOptions {
  readonly records?: Records;
  /** A record at one place only; a query parameter is sent only when it is this place. */
  readonly at?: { readonly place: Place; readonly value: string };
}

/** The query of an operation that refuses to do without. */
function neededQuery(route: RouteContract): Readonly<Record<string, string>> {
  const isOptional = route.query === undefined || route.query.safeParse({}).success;
  return isOptional ? {} : (exampleOf(route).query ?? {});
}

/** The example's request: every path parameter, every field of the body, none of the optional parameters. */
export function requestOf(route: RouteContract, { records = {}, at }: RequestOptions = {}): ExampleRequest {
  const { path = {}, body } = exampleOf(route);
  const valueAt = (where: Place['in'], name: string, value: string): string => {
    if (at?.place.in === where && at.place.name === name) return at.value;
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
  if (at?.place.in === 'query') query.set(at.place.name, at.value);
  return {
    method: route.method,
    url: query.size === 0 ? pathname : `${pathname}?${query}`,
    body: replaced(body, (name, value) => (name === 'expiresAt' ? soon() : valueAt('body', name, value))),
  };
}

/** An end that the example names is over some day. */
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
