import { z } from 'zod';
import { ERRORS } from '../errors.ts';
import { type Audience, errorCodesOf, type RouteContract } from './contract.ts';
import { errorBody, problemBody } from './errors.ts';

type Json = Readonly<Record<string, unknown>>;

export interface OpenApiOptions {
  readonly keyHeader: string;
}

/** `io: 'input'` on both sides: what may be sent, and answers without the promise that nothing is ever added. */
function schemaOf(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  });
  return rest;
}

const SECURITY: Readonly<Record<Audience, readonly Json[]>> = {
  key: [{ serviceKey: [] }],
  internal: [{ internalSecret: [] }],
  none: [],
};

const RATE_HEADERS = Object.fromEntries(
  ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) => [
    name,
    { schema: { type: 'integer' } },
  ]),
);

/** The OpenAPI 3.1 description of the given operations. */
export function openApi(contracts: readonly RouteContract[], options: OpenApiOptions): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const contract of contracts) {
    const path = contract.path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][contract.method.toLowerCase()] = operation(contract);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Compliance Audit Service',
      version: '1.0.0',
      description: 'Audits interactions with language models and keeps the evidence.',
    },
    paths,
    components: {
      schemas: { Error: schemaOf(errorBody), Problem: schemaOf(problemBody) },
      securitySchemes: {
        serviceKey: { type: 'apiKey', in: 'header', name: options.keyHeader },
        internalSecret: { type: 'apiKey', in: 'header', name: 'x-internal-secret' },
      },
    },
  };
}

function operation(contract: RouteContract): Json {
  return {
    operationId: contract.operationId,
    summary: contract.summary,
    tags: [contract.tag],
    security: SECURITY[contract.auth],
    parameters: [
      ...parameters(contract.params, 'path'),
      ...parameters(contract.query, 'query'),
      ...(contract.idempotent ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(contract.body
      ? {
          requestBody: {
            required: true,
            content: contentOf(contract.bodyTypes ?? JSON_ONLY, contract.body),
          },
        }
      : {}),
    responses: { ...errorResponses(contract), ...responses(contract) },
  };
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 257 },
};

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

const JSON_ONLY: readonly string[] = ['application/json'];

const contentOf = (types: readonly string[], schema: z.ZodType): Json =>
  Object.fromEntries(types.map((type) => [type, { schema: schemaOf(schema) }]));

function responses(contract: RouteContract): Json {
  const types = contract.mediaTypes?.map((type) => type.split(';', 1)[0]!) ?? JSON_ONLY;
  const headers = contract.auth === 'key' ? { headers: RATE_HEADERS } : {};
  return Object.fromEntries(
    Object.entries(contract.responses).map(([status, schema]) => [
      status,
      { description: contract.summary, ...headers, content: contentOf(types, schema) },
    ]),
  );
}

function errorResponses(contract: RouteContract): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of errorCodesOf(contract)) {
    const { statusCode } = ERRORS[code];
    byStatus.set(statusCode, [...(byStatus.get(statusCode) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.join(', '),
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Error' } },
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    ]),
  );
}
