import { describe, expect, test } from '@jest/globals';
import { ERRORS } from '../errors.ts';
import { errorCodesOf } from './contract.ts';
import { openApi } from './openapi.ts';
import { ROUTES } from './routes.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Json } } };
  readonly responses: Readonly<Record<string, object>>;
  readonly security: readonly Record<string, unknown>[];
}
type Json = Readonly<Record<string, unknown>>;

const description = openApi(ROUTES, { keyHeader: 'x-service-key' }) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object; securitySchemes: Record<string, Json> };
};
const operationOf = (path: string, method: string): Operation => description.paths[path]![method]!;

describe('the description', () => {
  test('has an operation per contract, each with an id of its own', () => {
    const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(ROUTES.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(ROUTES.length);
  });

  test.each(ROUTES.map((route) => [route.operationId, route] as const))('%s is whole', (_id, route) => {
    const path = route.path.replace(/:([A-Za-z]+)/g, '{$1}');
    const operation = operationOf(path, route.method.toLowerCase());
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(inPath);
    expect(operation.requestBody !== undefined).toBe(route.body !== undefined);
    const statuses = new Set([
      ...Object.keys(route.responses),
      ...errorCodesOf(route).map((code) => String(ERRORS[code].statusCode)),
    ]);
    expect(new Set(Object.keys(operation.responses))).toEqual(statuses);
    expect(route.responses[route.successStatus]).toBeDefined();
    for (const scheme of operation.security.flatMap(Object.keys)) {
      expect(description.components.securitySchemes[scheme]).toBeDefined();
    }
  });

  test('says what a triplet needs', () => {
    const schema = operationOf('/audit/ingest', 'post').requestBody!.content['application/json'].schema;
    expect(schema.required).toEqual(['sandboxSlug', 'provider', 'model', 'prompt', 'response']);
    expect(JSON.stringify(schema)).toContain('customFields');
  });

  test('keeps fields with a default optional, and names every filter of the list of signals', () => {
    const schema = operationOf('/sandboxes', 'post').requestBody!.content['application/json'].schema;
    expect(schema.required).toEqual(['name', 'slug', 'sandboxType']);
    const names = operationOf('/dashboard/signals', 'get').parameters.map(({ name }) => name);
    for (const name of [
      'riskLevel',
      'sandboxSlug',
      'provider',
      'violation',
      'from',
      'to',
      'page',
      'limit',
      'cursor',
    ]) {
      expect(names).toContain(name);
    }
  });
});
