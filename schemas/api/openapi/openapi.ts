import { CSRF_HEADER, SECURE_SESSION_COOKIE, SESSION_COOKIE } from '../accounts/cookie.ts';
import type { RouteContract } from '../contract.ts';
import { errorBody, problemBody } from '../errors.ts';
import type { SharedAnswers } from './answers.ts';
import { headerComponents } from './headers.ts';
import { introduction, TAGS } from './introduction.ts';
import { type Json, schemaSet } from './json-schema.ts';
import { operationOf, pathTemplate } from './operation.ts';

interface OpenApiOptions {
  readonly keyHeader: string;
  /** Path under which a proxy serves the service. */
  readonly basePath?: string;
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a repeat of this request safe: 1 to 255 printable ASCII characters of your choice, bare or in quotes, e.g. a UUID.',
  // No example: API explorers would fill it in, and reuse it with another body.
  schema: { type: 'string', pattern: '^[!-~]([ -~]{0,253}[!-~])?$' },
};

const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `version` of the record that the request was decided on, in quotes: when the record has another one by now, nothing is done and the answer is 409.',
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

/** The same, yielding after each operation: all of them take some hundred milliseconds. */
export function* openApiInSteps(
  contracts: readonly RouteContract[],
  { keyHeader, basePath = '' }: OpenApiOptions,
): Generator<void, Json> {
  const schemas = schemaSet();
  const shared: SharedAnswers = new Map();
  const errors = { Error: schemas.answered(errorBody), Problem: schemas.answered(problemBody) };
  const paths: Record<string, Record<string, Json>> = {};
  for (const contract of contracts) {
    const path = pathTemplate(contract.path);
    paths[path] ??= {};
    paths[path][contract.method.toLowerCase()] = operationOf(contract, schemas, shared);
    yield;
  }
  const tags = [...new Set(contracts.map(({ tag }) => tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Compliance Audit Service',
      version: '1.0.0',
      summary: 'Audits interactions with language models and keeps the evidence.',
      description: introduction(keyHeader),
    },
    servers: [{ url: basePath || '/', description: 'The service that serves this description' }],
    tags: tags.map((name) => ({ name, ...(TAGS[name] ? { description: TAGS[name] } : {}) })),
    paths,
    components: {
      schemas: { ...errors, ...schemas.named() },
      responses: Object.fromEntries(shared),
      headers: headerComponents(),
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY, IfMatch: IF_MATCH },
      securitySchemes: securitySchemes(keyHeader),
    },
  };
}

const securitySchemes = (keyHeader: string): Json => ({
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
    description: `Session of a user, from POST /accounts or POST /sessions; behind TLS the cookie is called ${SECURE_SESSION_COOKIE}.`,
  },
  csrfToken: {
    type: 'apiKey',
    in: 'header',
    name: CSRF_HEADER,
    description:
      'With a session: the `csrfToken` that signing in answered, and GET /sessions/current tells. With an API key it is not looked at.',
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
