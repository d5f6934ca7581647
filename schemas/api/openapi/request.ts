import type { z } from 'zod';
import type { RouteContract } from '../contract.ts';
import type { Operation } from './routes.ts';

/** What a client needs to call an operation: an item of `endpoints.ts`, or the contract. */
export type Endpoint = Pick<RouteContract, 'method' | 'path'>;

type ContractOf<E extends Endpoint> = Extract<Operation, E>;

type NamesIn<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** The path parameters that a call fills in. */
type ParamsOf<E extends Endpoint> = Readonly<Record<NamesIn<E['path']>, string | number>>;

type NamesOf<T> = T extends unknown ? keyof T : never;
type QueryNames<C> = C extends { readonly query: infer Q extends z.ZodType } ? NamesOf<z.input<Q>> : never;
type BodyNames<C> = C extends { readonly body: infer B extends z.ZodType } ? NamesOf<z.input<B>> : never;

/** The contract's filters; undefined and empty ones are omitted. The service checks the values. */
export type QueryOf<E extends Endpoint> = {
  readonly [Name in QueryNames<ContractOf<E>>]?: string | number | undefined;
};

/** The contract's fields. Values come from forms, options and files; the service checks them. */
type FieldsOf<E extends Endpoint> = { readonly [Name in BodyNames<ContractOf<E>>]?: unknown };

/** A call's input, for any contract. */
export interface AnyRequest {
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
}

/** A call's input, by contract. */
type RequestOf<E extends Endpoint> = string extends E['path']
  ? AnyRequest
  : {
      readonly query?: QueryOf<E>;
      readonly body?: FieldsOf<E>;
    } & ([NamesIn<E['path']>] extends [never]
      ? { readonly params?: undefined }
      : { readonly params: ParamsOf<E> });

/** Rest parameter for a call's input; optional if the path has no parameters. */
export type Sent<E extends Endpoint, More = unknown> = [NamesIn<E['path']>] extends [never]
  ? [sent?: RequestOf<E> & More]
  : [sent: RequestOf<E> & More];

/** A success response's body. */
export type AnswerOf<E extends Endpoint> =
  ContractOf<E> extends { readonly successStatus: infer Status; readonly responses: infer Responses }
    ? z.output<Responses[Status & keyof Responses] & z.ZodType>
    : never;

/** The request target: the path with its parameters filled in, and the query. */
export function targetOf<E extends Endpoint>(endpoint: E, ...[sent]: Sent<E>): string {
  const { params = {}, query: filters = {} }: AnyRequest = sent ?? {};
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined && value !== '') search.set(name, String(value));
  const query = search.toString();
  return query === '' ? path : `${path}?${query}`;
}
