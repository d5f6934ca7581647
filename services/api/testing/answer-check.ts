import type { RouteContract } from '#schemas/api/contract.ts';
import { openApi } from '#schemas/api/openapi/openapi.ts';
import { pathTemplate } from '#schemas/api/openapi/operation.ts';
import { STATUS_NAMES } from '#schemas/errors.ts';
import { type DescribedAnswer, type Description, operationFinder, readDescription } from './description.ts';

export interface SeenAnswer {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Throws if an answer differs from the description, down to a surplus field or header. */
export type AnswerCheck = (seen: SeenAnswer) => void;

/** Checks answers against an OpenAPI description parsed from JSON, such as the one that is served. */
export function answerCheck(served: unknown): AnswerCheck {
  const description = readDescription(served);
  return (seen) => {
    const faults = faultsOf(seen, description);
    if (faults.length === 0) return;
    const { status, method, url, text } = seen;
    throw new Error(`${status} of ${method} ${url} is not as described: ${faults.join('; ')}\n${text}`);
  };
}

/**
 * Checks answers against the description of their operation, and builds only the descriptions that it needs: all of
 * them would add a second to every test file. openapi.test.ts proves that an operation's description is the same alone
 * as among many.
 */
export function answerCheckOf(
  contracts: readonly RouteContract[],
  options: Parameters<typeof openApi>[1],
): AnswerCheck {
  const paths: Record<string, Record<string, RouteContract>> = {};
  for (const contract of contracts)
    paths[pathTemplate(contract.path)] = {
      ...paths[pathTemplate(contract.path)],
      [contract.method.toLowerCase()]: contract,
    };
  const find = operationFinder(paths);
  const checks = new Map<RouteContract | null, AnswerCheck>();
  return (seen) => {
    const contract = find(seen.method, seen.url)?.operation ?? null;
    const check = checks.get(contract) ?? answerCheck(openApi(contract === null ? [] : [contract], options));
    checks.set(contract, check);
    check(seen);
  };
}

function faultsOf(seen: SeenAnswer, description: Description): string[] {
  const answerOf = description.operationOf(seen.method, seen.url);
  if (answerOf === null) return faultsWithoutOperation(seen, description);
  const found = answerOf(seen.status);
  if (found === null) return ['the status is not documented'];
  const faults = headerFaults(seen, found.answer, description);
  const { content } = found.answer;
  if (content === undefined) return seen.text === '' ? faults : [...faults, 'the answer is not empty'];
  const type = mediaType(seen);
  if (!Object.hasOwn(content, type)) return [...faults, `the media type "${type}" is not documented`];
  if (seen.method === 'HEAD') return seen.text === '' ? faults : [...faults, 'HEAD has a body'];
  if (!isJson(type)) return faults;
  const path = [...found.location, 'content', type, 'schema'];
  const body: unknown = JSON.parse(seen.text);
  return [
    ...faults,
    ...description.faultsOf(body, path),
    ...errorFaults(body, seen.status, found.answer['x-error-codes']),
  ];
}

const mediaType = ({ headers }: SeenAnswer): string =>
  String(headers['content-type'] ?? '').split(';', 1)[0]!;
const isJson = (type: string): boolean => /^application\/([a-z]+\+)?json$/.test(type);

/** Answers to requests that match no operation; the last two below /auditor, where such calls are recorded too. */
const WITHOUT_OPERATION: Readonly<Record<number, readonly string[]>> = {
  400: ['INVALID_REQUEST'],
  404: ['NOT_FOUND'],
  405: ['METHOD_NOT_ALLOWED'],
  414: ['URI_TOO_LONG'],
  429: ['RATE_LIMITED', 'AUDITOR_CALLS_REACHED'],
  503: ['UNAVAILABLE'],
};

function faultsWithoutOperation(seen: SeenAnswer, description: Description): string[] {
  const codes = WITHOUT_OPERATION[seen.status];
  if (codes === undefined || (seen.status === 503 && !seen.url.startsWith('/auditor/')))
    return ['no operation describes it'];
  const faults = [
    ...(seen.status === 405 && !/^[A-Z]+(, [A-Z]+)*$/.test(String(seen.headers.allow))
      ? ['Allow is missing']
      : []),
    ...(seen.status === 429 && !/^\d+$/.test(String(seen.headers['retry-after']))
      ? ['Retry-After is missing']
      : []),
  ];
  if (seen.method === 'HEAD' && seen.text === '') return faults;
  const schema = mediaType(seen) === 'application/problem+json' ? 'Problem' : 'Error';
  const body: unknown = JSON.parse(seen.text);
  return [
    ...faults,
    ...description.faultsOf(body, ['components', 'schemas', schema]),
    ...errorFaults(body, seen.status, codes),
  ];
}

/**
 * Rules that a schema cannot express: the body's status equals the answer's, and its code is one of this operation's.
 */
function errorFaults(body: unknown, status: number, codes: readonly string[] | undefined): string[] {
  if (codes === undefined) return [];
  const { code, statusCode, status: problemStatus, error, title } = body as Readonly<Record<string, unknown>>;
  // A shape specific to the operation, in addition to the errors of this status.
  if (code === undefined) return [];
  return [
    ...(codes.includes(String(code)) ? [] : [`the code ${code} is not documented`]),
    ...((statusCode ?? problemStatus) === status ? [] : ['the body names another status']),
    ...((error ?? title) === STATUS_NAMES[status] ? [] : ['the body names the status in another way']),
  ];
}

/** Headers of HTTP and its connections, for proxies, and security headers for browsers. */
const OF_HTTP = new Set(
  `content-type content-length content-disposition date connection keep-alive transfer-encoding trailer
  content-encoding vary location
  x-accel-buffering x-content-type-options content-security-policy referrer-policy cache-control strict-transport-security
  cross-origin-opener-policy cross-origin-resource-policy x-frame-options`.split(/\s+/),
);

function headerFaults(seen: SeenAnswer, described: DescribedAnswer, description: Description): string[] {
  const documented = Object.entries(described.headers ?? {}).map(
    ([name, reference]) => [name.toLowerCase(), description.header(reference), reference.$ref] as const,
  );
  const names = new Set(documented.map(([name]) => name));
  const unknown = Object.keys(seen.headers).filter((name) => !names.has(name) && !OF_HTTP.has(name));
  return [
    ...unknown.map((name) => `the header ${name} is not documented`),
    ...documented.flatMap(([name, { required, schema }, reference]) => {
      const value = seen.headers[name];
      if (value === undefined) return required ? [`the header ${name} is missing`] : [];
      const read = schema.type === 'integer' ? Number(value) : value;
      return description
        .faultsOf(read, [...reference.split('/').slice(1), 'schema'])
        .map((fault) => `${name}${fault}`);
    }),
  ];
}
