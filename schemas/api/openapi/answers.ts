import { ERRORS, type ErrorCode, STATUS_NAMES } from '../../errors.ts';
import { groupBy } from '../../group-by.ts';
import { errorCodesOf, type RouteContract } from '../contract.ts';
import { ANSWER_EXAMPLES } from './answer-examples.ts';
import { headersOf } from './headers.ts';
import type { Json, SchemaSet } from './json-schema.ts';

const JSON_ONLY: readonly string[] = ['application/json'];

/** Content by media type; anything but JSON is text or bytes, whatever the JSON variant's schema is. */
export function contentOf(types: readonly string[], shape: Json, example?: Json): Json {
  return Object.fromEntries(
    types.map((type) => {
      const name = type.split(';', 1)[0]!;
      if (name === 'application/json') return [name, { schema: shape, ...example }];
      // Bytes have no schema.
      return [name, /^text\/|ndjson/.test(name) ? { schema: { type: 'string' } } : {}];
    }),
  );
}

const SUCCESSES: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted; processing continues after the response',
  204: 'Done; no content',
};

const NO_CONTENT = 204;

/** Responses shared by several operations, by component name. */
export type SharedAnswers = Map<string, Json>;

/** All responses of an operation by status; errors are references, whose targets are added to `shared`. */
export function answersOf(contract: RouteContract, schemas: SchemaSet, shared: SharedAnswers): Json {
  const errors = errorAnswers(contract);
  const references = Object.entries(errors).map(([status, answer]) => {
    const name = [contract.auth, ...(answer['x-error-codes'] as string[])].join('.');
    if (contract.responses[Number(status)] === undefined) shared.set(name, answer);
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  const described = Object.entries(contract.responses).map(([status, schema]) => {
    if (Number(status) === NO_CONTENT)
      return [status, { description: SUCCESSES[NO_CONTENT], ...headersOf(contract, NO_CONTENT) }];
    const shape = schemas.answered(schema);
    const error = errors[status] as { description: string; content: Json } | undefined;
    const answer = describedAnswer(contract, Number(status), shape, schema.description);
    if (error === undefined) return [status, answer];
    // The operation also has its own schema for this status.
    const content = { ...error.content, 'application/json': { schema: shape } };
    return [status, { ...error, description: `${answer.description} ${error.description}`, content }];
  });
  return Object.fromEntries([...references, ...described]);
}

function describedAnswer(contract: RouteContract, status: number, shape: Json, description?: string) {
  const example = status === contract.successStatus ? ANSWER_EXAMPLES[contract.operationId] : undefined;
  const trailers = Object.entries(contract.trailers ?? {}).map(
    ([name, text]) => ` Trailer ${name}: ${text}.`,
  );
  return {
    description: (description ?? SUCCESSES[status] ?? `${contract.summary}.`) + trailers.join(''),
    ...headersOf(contract, status),
    content: contentOf(contract.mediaTypes ?? JSON_ONLY, shape, example === undefined ? {} : { example }),
  };
}

function errorAnswers(contract: RouteContract): Record<string, Json> {
  const byStatus = groupBy(errorCodesOf(contract), (code) => ERRORS[code].statusCode);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), errorAnswer(contract, status, codes)]),
  );
}

const errorAnswer = (contract: RouteContract, status: number, codes: readonly ErrorCode[]): Json => ({
  description: codes.map((code) => `${code}: ${ERRORS[code].message.replace(/\.$/, '')}.`).join(' '),
  'x-error-codes': codes,
  ...headersOf(contract, status),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
    },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  },
});

const EXAMPLE_REQUEST_ID = '4f2f2b9c-6d0e-4a64-9d0c-0d7f5a8a3c11';

const errorExample = (code: ErrorCode): Json => {
  const { statusCode, message } = ERRORS[code];
  return { statusCode, message, error: STATUS_NAMES[statusCode], code, requestId: EXAMPLE_REQUEST_ID };
};
