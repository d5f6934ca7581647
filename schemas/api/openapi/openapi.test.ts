import { isDeepStrictEqual } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { z } from 'zod';
import { describe, expect, test } from '#jest';
import { ERRORS } from '../../errors.ts';
import { errorCodesOf, type RouteContract } from '../contract.ts';
import { ANSWER_EXAMPLES } from './answer-examples.ts';
import { TAGS } from './introduction.ts';
import type { Json } from './json-schema.ts';
import { openApi } from './openapi.ts';
import { pathTemplate } from './operation.ts';
import { EXAMPLES, SAMPLES } from './request-examples.ts';
import { ROUTES } from './routes.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<Record<string, { readonly headers?: Json; readonly $ref?: string }>>;
  readonly security: readonly Record<string, unknown>[];
  readonly 'x-codeSamples': readonly Json[];
}

const description = openApi(ROUTES, { keyHeader: 'x-service-key' }) as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Json>>;
};
const operationOf = (route: RouteContract): Operation =>
  description.paths[pathTemplate(route.path)]![route.method.toLowerCase()]!;
const shared = (reference: string) =>
  description.components.responses![reference.split('/').at(-1)!] as { readonly headers?: Json };
const EACH = ROUTES.map((route) => [route.operationId, route] as const);

describe('the description', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(description));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test('has one operation per contract, each with a unique id and an explained tag', () => {
    const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(ROUTES.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(ROUTES.length);
    expect(ROUTES.filter(({ tag }) => TAGS[tag] === undefined)).toEqual([]);
  });

  test('has no dangling references and no unused components', () => {
    const referred = new Set(
      [...JSON.stringify(description).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name!),
    );
    const components = Object.entries(description.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, entries]) => Object.keys(entries).map((name) => `${kind}/${name}`));
    expect([...referred].filter((name) => !components.includes(name))).toEqual([]);
    expect(components.filter((name) => !referred.has(name))).toEqual([]);
  });

  test.each(EACH)('describes %s the same when it is generated alone', (_id, route) => {
    const alone = openApi([route], { keyHeader: 'x-service-key' }) as typeof description;
    expect(alone.paths).toEqual({
      [pathTemplate(route.path)]: { [route.method.toLowerCase()]: operationOf(route) },
    });
    const isPart = ([kind, name]: readonly [string, string]) =>
      isDeepStrictEqual(alone.components[kind]![name], description.components[kind]![name]);
    const named = Object.entries(alone.components).flatMap(([kind, entries]) =>
      Object.keys(entries).map((name) => [kind, name] as const),
    );
    expect(named.filter((one) => !isPart(one))).toEqual([]);
  });

  test.each(EACH)('describes %s completely', (_id, route) => {
    const operation = operationOf(route);
    const inPath = [...pathTemplate(route.path).matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(
      operation.parameters.flatMap(({ in: location, name }) => (location === 'path' ? [name] : [])),
    ).toEqual(inPath);
    expect(operation.requestBody !== undefined).toBe(route.body !== undefined);
    const statuses = new Set([
      ...Object.keys(route.responses),
      ...errorCodesOf(route).map((code) => String(ERRORS[code].statusCode)),
    ]);
    expect(new Set(Object.keys(operation.responses))).toEqual(statuses);
    expect(route.responses[route.successStatus]).toBeDefined();
    const unexplained = operation.parameters.filter((one) => 'name' in one && !one.description);
    expect(unexplained).toEqual([]);
    if (!['Health', 'Pages'].includes(route.tag)) expect(route.description).toMatch(/^[A-Z0-9`].{20,}[.]$/s);
    for (const scheme of operation.security.flatMap(Object.keys)) {
      expect(description.components.securitySchemes![scheme]).toBeDefined();
    }
  });

  test('allows null for values of a map, where it means absent, as for optional fields', () => {
    const { schema } = description.paths['/sandboxes/{id}']!.patch!.requestBody!.content['application/json']!;
    const { minConfidence } = schema.properties as Record<string, { readonly anyOf: readonly Json[] }>;
    expect(minConfidence!.anyOf).toMatchObject([
      { additionalProperties: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
      { type: 'null' },
    ]);
  });

  test('accepts messages wherever a text may be sent as messages', () => {
    const { Triplet } = description.components.schemas as Record<
      string,
      { properties: Record<string, Json> }
    >;
    const { prompt, response } = Triplet!.properties;
    for (const text of [prompt!, response!]) {
      expect(text).not.toHaveProperty('type');
      expect(text.anyOf).toContainEqual(expect.objectContaining({ type: 'array' }));
    }
  });

  test('keeps fields with a default optional', () => {
    const create = ROUTES.find(({ operationId }) => operationId === 'createSandbox')!;
    const { schema } = operationOf(create).requestBody!.content['application/json']!;
    expect(schema.required).toEqual(['name', 'slug', 'sandboxType']);
  });

  test('lists the rate headers of every response for which a key may have been read', () => {
    for (const route of ROUTES.filter(({ auth }) => auth === 'key')) {
      for (const [status, answer] of Object.entries(operationOf(route).responses)) {
        const { headers = {} } = '$ref' in answer ? shared(answer.$ref!) : answer;
        const hasHeader = !['408', '414', '421', '431'].includes(status);
        expect([route.operationId, status, 'X-RateLimit-Limit' in headers]).toEqual([
          route.operationId,
          status,
          hasHeader,
        ]);
      }
    }
  });
});

/** Every field of the schema, nested ones as `a.b`. */
function fieldsOf(schema: Json, prefix = ''): string[] {
  const { properties = {} } = named(schema) as { properties?: Record<string, Json> };
  return Object.entries(properties).flatMap(([name, child]) => [
    prefix + name,
    ...fieldsOf(child, `${prefix}${name}.`),
  ]);
}
const named = (schema: Json): Json =>
  typeof schema.$ref === 'string' ? description.components.schemas![schema.$ref.split('/').at(-1)!]! : schema;
const has = (value: unknown, path: string): boolean =>
  path.split('.').every((name) => {
    const inside = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    value = inside ? (value as Json)[name] : undefined;
    return inside;
  });
const accepts = (schema: z.ZodType | undefined, value: unknown): boolean =>
  schema === undefined || schema.safeParse(value).success;

/** A request has one of both. */
const SYNONYMS = { from: 'startDate', to: 'endDate', startDate: 'from', endDate: 'to' } as const;

const isInAddress = (parameter: { readonly in?: string }): boolean =>
  parameter.in === 'path' || parameter.in === 'query';

describe('the examples of responses', () => {
  test.each(Object.entries(ANSWER_EXAMPLES))(
    '%s: has the fields of its schema and no others',
    (id, example) => {
      const route = ROUTES.find(({ operationId }) => operationId === id)!;
      expect(route.responses[route.successStatus]!.parse(example)).toEqual(example);
    },
  );
});

test('every operation has a curl command', () => {
  const described = operationOf(ROUTES.find(({ operationId }) => operationId === 'revokeApiKey')!);
  expect(described['x-codeSamples']).toEqual([
    {
      lang: 'Shell',
      label: 'curl',
      source: `curl -X DELETE "$BASE_URL/internal/customers/${SAMPLES.customerId}/api-keys/${SAMPLES.keyId}" \\\n  -H "x-internal-secret: $INTERNAL_SECRET"`,
    },
  ]);
  for (const route of ROUTES) expect(operationOf(route)['x-codeSamples']).toHaveLength(1);
});

describe('the examples', () => {
  test('belong to existing operations', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(ROUTES.map(({ operationId }) => operationId).sort());
  });

  test.each(EACH)(
    'have a valid value for every parameter of %s, and a valid body with every field',
    (id, route) => {
      const { path = {}, query = {}, body } = EXAMPLES[id] ?? {};
      const known = { path, query };
      for (const { in: location, name } of operationOf(route).parameters.filter(isInAddress))
        expect([name, known[location as 'path' | 'query'][name]]).toEqual([name, expect.any(String)]);
      expect(accepts(route.params, path)).toBe(true);
      // One at a time, because some exclude each other; with those that must not be missing.
      const needed = operationOf(route).parameters.flatMap(({ in: location, name, required }) =>
        location === 'query' && required ? [[name, query[name]] as const] : [],
      );
      const refused = Object.entries(query).filter(
        ([name, value]) => !accepts(route.query, { ...Object.fromEntries(needed), [name]: value }),
      );
      expect(refused).toEqual([]);
      expect(body !== undefined).toBe(route.body !== undefined);
      if (body === undefined) return;
      expect(accepts(route.body, body)).toBe(true);
      const { schema } = Object.values(operationOf(route).requestBody!.content)[0]!;
      const other = (field: string) =>
        field.replace(/\w+$/, (name) => SYNONYMS[name as keyof typeof SYNONYMS] ?? name);
      expect(fieldsOf(schema).filter((field) => !has(body, field) && !has(body, other(field)))).toEqual([]);
    },
  );
});
