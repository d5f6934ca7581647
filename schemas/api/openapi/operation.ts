import {
  type Audience,
  DEFAULT_BODY_LIMIT,
  needsCsrfToken,
  type RouteContract,
  sizeOf,
} from '../contract.ts';
import { EVENT_ID } from '../stream.ts';
import { answersOf, contentOf, type SharedAnswers } from './answers.ts';
import { codeSample } from './code-sample.ts';
import type { Json, SchemaSet } from './json-schema.ts';
import { PARAMETER_TEXTS } from './parameter-texts.ts';
import { EXAMPLES } from './request-examples.ts';

/** A caller needs one item of the list, with everything that the item names. */
export function securityOf(contract: RouteContract): readonly Json[] {
  const session = needsCsrfToken(contract) ? { session: [], csrfToken: [] } : { session: [] };
  const byAudience: Readonly<Record<Audience, readonly Json[]>> = {
    key: [{ serviceKey: [] }, session],
    session: [session],
    internal: [{ internalSecret: [] }],
    auditor: [{ auditorToken: [] }],
    none: [],
  };
  return byAudience[contract.auth];
}

const IDEMPOTENCY_KEY: Json = { $ref: '#/components/parameters/IdempotencyKey' };
const IF_MATCH: Json = { $ref: '#/components/parameters/IfMatch' };

const LAST_EVENT_ID: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Id of the last event received. Later events are sent first.',
  schema: { type: 'string', pattern: EVENT_ID.source },
};

/** `/audits/:id` in OpenAPI syntax. */
export const pathTemplate = (path: string): string => path.replace(/:([A-Za-z]+)/g, '{$1}');

export function operationOf(
  contract: RouteContract,
  schemas: SchemaSet,
  shared: SharedAnswers,
  keyHeader: string,
): Json {
  const query = parameters(contract, 'query', schemas);
  const needed = query.flatMap(({ name, required }) => (required ? [String(name)] : []));
  return {
    operationId: contract.operationId,
    summary: contract.summary,
    ...(contract.description === undefined ? {} : { description: contract.description }),
    tags: [contract.tag],
    security: securityOf(contract),
    parameters: [
      ...parameters(contract, 'path', schemas),
      ...query,
      ...(contract.idempotent ? [IDEMPOTENCY_KEY] : []),
      ...(contract.ifMatch ? [IF_MATCH] : []),
      ...(contract.lastEventId ? [LAST_EVENT_ID] : []),
    ],
    ...(contract.body ? { requestBody: requestBody(contract, schemas) } : {}),
    responses: answersOf(contract, schemas, shared),
    'x-codeSamples': [codeSample(contract, keyHeader, needed)],
  };
}

function parameters(contract: RouteContract, location: 'path' | 'query', schemas: SchemaSet): Json[] {
  const schema = location === 'path' ? contract.params : contract.query;
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemas.sent(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  // API explorers fill in all examples at once: filters would exclude each other and match nothing.
  const examples = location === 'path' ? (EXAMPLES[contract.operationId]?.path ?? {}) : {};
  return Object.entries(properties).map(([name, { description = PARAMETER_TEXTS[name], ...shape }]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: shape,
    ...(examples[name] === undefined ? {} : { example: examples[name] }),
  }));
}

function requestBody(contract: RouteContract, schemas: SchemaSet): Json {
  const {
    body,
    bodyTypes = ['application/json'],
    bodyLimitBytes = DEFAULT_BODY_LIMIT,
    bodyEncodings = [],
  } = contract;
  const example = EXAMPLES[contract.operationId]?.body;
  return {
    required: true,
    description: `UTF-8, at most ${sizeOf(bodyLimitBytes)}${bodyEncodings.includes('gzip') ? '; can be compressed with gzip' : ''}.`,
    content: contentOf(bodyTypes, schemas.sentBody(body!), example === undefined ? {} : { example }),
  };
}
