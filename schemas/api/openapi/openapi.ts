import { CSRF_HEADER, SECURE_SESSION_COOKIE, SESSION_COOKIE } from '../accounts/cookie.ts';
import type { RouteContract } from '../contract.ts';
import { errorBody, problemBody } from '../errors.ts';
import type { SharedAnswers } from './answers.ts';
import { headerComponents } from './headers.ts';
import { introduction, OPERATORS_INTRODUCTION, TAGS } from './introduction.ts';
import { type Json, schemaSet } from './json-schema.ts';
import { operationOf, pathTemplate, securityOf } from './operation.ts';

interface OpenApiOptions {
  readonly keyHeader: string;
  /** Path under which a proxy serves the service. */
  readonly basePath?: string;
  /** Default: customers. */
  readonly readers?: 'customers' | 'operators';
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes retries safe. 1 to 255 printable ASCII characters, with or without quotes, e.g. a UUID.',
  // No example: API explorers would fill it in and reuse it with another body.
  schema: { type: 'string', pattern: '^[!-~]([ -~]{0,253}[!-~])?$' },
};

const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'Expected `version` of the record, in quotes. If it has changed, nothing is done and the response is 409.',
  schema: { type: 'string', pattern: '^(\\*|"\\d{1,9}"|\\d{1,9})$' },
};

/** The OpenAPI 3.1 description of the given operations. */
export function openApi(contracts: readonly RouteContract[], options: OpenApiOptions): Json {
  const steps = openApiInSteps(contracts, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Like `openApi`, but yields after each operation: all of them together take several hundred milliseconds. */
export function* openApiInSteps(
  contracts: readonly RouteContract[],
  { keyHeader, basePath = '', readers = 'customers' }: OpenApiOptions,
): Generator<void, Json> {
  const schemas = schemaSet();
  const shared: SharedAnswers = new Map();
  const errors = { Error: schemas.answered(errorBody), Problem: schemas.answered(problemBody) };
  const paths: Record<string, Record<string, Json>> = {};
  for (const contract of contracts) {
    const path = pathTemplate(contract.path);
    paths[path] ??= {};
    paths[path][contract.method.toLowerCase()] = operationOf(contract, schemas, shared, keyHeader);
    yield;
  }
  const used = new Set(contracts.map(({ tag }) => tag));
  const isForOperators = readers === 'operators';
  return {
    openapi: '3.1.0',
    info: {
      title: isForOperators ? 'Compliance Audit Service: operator API' : 'Compliance Audit Service API',
      version: '1.0.0',
      summary: 'Audit what applications exchange with language models, and keep the evidence.',
      description: isForOperators ? OPERATORS_INTRODUCTION : introduction(keyHeader),
    },
    servers: [{ url: basePath || '/', description: 'This server' }],
    tags: Object.entries(TAGS).flatMap(([name, description]) =>
      used.has(name) ? [{ name, description }] : [],
    ),
    paths,
    components: {
      schemas: { ...errors, ...schemas.named() },
      responses: Object.fromEntries(shared),
      headers: headerComponents(),
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY, IfMatch: IF_MATCH },
      securitySchemes: securitySchemes(contracts, keyHeader),
    },
  };
}

/** The authentication methods that these operations accept. */
function securitySchemes(contracts: readonly RouteContract[], keyHeader: string): Json {
  const used = new Set(contracts.flatMap(securityOf).flatMap(Object.keys));
  return Object.fromEntries(Object.entries(allSchemes(keyHeader)).filter(([name]) => used.has(name)));
}

const allSchemes = (keyHeader: string): Json => ({
  serviceKey: {
    type: 'apiKey',
    in: 'header',
    name: keyHeader,
    description: 'API key of a customer: cas_ and 48 hexadecimal characters.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: `Session of a user, from POST /accounts or POST /sessions. With TLS the cookie is named ${SECURE_SESSION_COOKIE}.`,
  },
  csrfToken: {
    type: 'apiKey',
    in: 'header',
    name: CSRF_HEADER,
    description:
      'Required with a session: the `csrfToken` from signing in or from GET /sessions/current. Ignored with an API key.',
  },
  internalSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'x-internal-secret',
    description: 'Secret of the platform (setting INTERNAL_SECRET).',
  },
  auditorToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'Token of an auditor: aud_ and 64 hexadecimal characters.',
  },
});
