import { expect, test } from '#jest';
import { openApi } from '#schemas/api/openapi/openapi.ts';
import { pathTemplate } from '#schemas/api/openapi/operation.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { referencesOf } from './requests.ts';

/**
 * The isolation tests try every parameter named in the examples; this test ensures that the examples name all of them.
 */

type Json = Readonly<Record<string, unknown>>;
interface Operation {
  readonly parameters: readonly { readonly name?: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
}

const { paths, components } = openApi(ROUTES, { keyHeader: 'x-service-key' }) as {
  paths: Record<string, Record<string, Operation>>;
  components: { readonly schemas: Readonly<Record<string, Json>> };
};

/** Names of fields at any depth. */
function fieldsOf(schema: Json): string[] {
  if (typeof schema.$ref === 'string') return fieldsOf(components.schemas[schema.$ref.split('/').at(-1)!]!);
  return Object.entries(schema).flatMap(([name, child]) => {
    if (typeof child !== 'object' || child === null) return [];
    if (name !== 'properties') return fieldsOf(child as Json);
    return Object.entries(child).flatMap(([field, inner]) => [field, ...fieldsOf(inner as Json)]);
  });
}

/** `userId` is free text from the caller and refers to no record. */
const REFERENCE = /^(?!userId$)(id|[a-z]+Ids?|sandboxSlug|sandbox|cursor)$/;

test.each(ROUTES.map((route) => [route.operationId, route] as const))(
  '%s: the example names a record in every field that takes one',
  (_id, route) => {
    const known = referencesOf(route).map(
      (reference) => `${reference.in} ${reference.name.split('.').findLast((part) => !/^\d+$/.test(part))}`,
    );
    const { parameters, requestBody } = paths[pathTemplate(route.path)]![route.method.toLowerCase()]!;
    const accepted = [
      ...parameters.map(({ name = '', in: where }) => [where, name] as const),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        fieldsOf(schema).map((name) => ['body', name] as const),
      ),
    ].filter(([, name]) => REFERENCE.test(name));
    expect(accepted.map((one) => one.join(' ')).filter((one) => !known.includes(one))).toEqual([]);
  },
);
