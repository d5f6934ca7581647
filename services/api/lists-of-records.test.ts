import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { CUSTOMERS, type State } from '#platform/state/port.ts';
import { buildApp } from './app.ts';
import { type Harness, internalHeaders, startHarness, type TestCustomer } from './testing/harness.ts';

/** Lists of the directory read only what they show, however many records exist. */

/** Calls of the documents: `get customers`, `ids sandboxes` and so on. */
let asked: string[];
const wrapState = (state: State): State => ({
  ...state,
  documents: {
    ...state.documents,
    get: (ref) => {
      asked.push(`get ${ref.collection}`);
      return state.documents.get(ref);
    },
    list: (scope, collection) => {
      asked.push(`list ${collection}`);
      return state.documents.list(scope, collection);
    },
    ids: (scope, collection) => {
      asked.push(`ids ${collection}`);
      return state.documents.ids(scope, collection);
    },
  },
});

let harness: Harness;
beforeEach(async () => {
  asked = [];
  harness = await startHarness({ wrapState });
});
afterEach(() => harness.close());

const times = (what: string): number => asked.filter((one) => one === what).length;

describe('the list of customers', () => {
  const list = async (query: string) => {
    asked = [];
    const answer = await harness.call({ url: `/internal/customers${query}`, headers: internalHeaders });
    expect(answer.status).toBe(200);
    return answer.body as { data: { id: string }[]; pagination: Record<string, unknown> };
  };

  test('reads only the records of its page, and shows all of them page by page', async () => {
    const made: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      const payload = { name: `Customer ${count}`, type: 'COMPANY' };
      const answer = await harness.call({
        method: 'POST',
        url: '/internal/customers',
        headers: internalHeaders,
        payload,
      });
      made.unshift(answer.body.id);
    }
    const shown: string[] = [];
    let cursor: unknown = null;
    do {
      const { data, pagination } = await list(`?limit=5${cursor === null ? '' : `&cursor=${cursor}`}`);
      expect(times(`get ${CUSTOMERS}`)).toBe(data.length);
      expect(asked.filter((one) => one.startsWith('list'))).toEqual([]);
      expect(pagination).toMatchObject({ limit: 5, total: 12, pages: 3 });
      shown.push(...data.map(({ id }) => id));
      cursor = pagination.nextCursor;
    } while (cursor !== null);
    expect(shown).toEqual(made);
    expect((await list('?limit=5&page=3')).data.map(({ id }) => id)).toEqual(made.slice(10));
    expect((await list('?limit=5&page=4')).data).toEqual([]);
  });
});

describe('the list of sandboxes', () => {
  let customer: TestCustomer;
  beforeEach(async () => {
    customer = await harness.customer();
  });
  const create = (slug: string) =>
    harness.call({
      method: 'POST',
      url: '/sandboxes',
      headers: customer.headers,
      payload: { name: slug, slug, sandboxType: 'CUSTOM' },
    });
  const slugs = async (query = ''): Promise<string[]> => {
    const { status, body } = await harness.call({ url: `/sandboxes${query}`, headers: customer.headers });
    expect(status).toBe(200);
    return (body.data as { slug: string }[]).map(({ slug }) => slug);
  };

  test('reads its ids once between two changes, however often and by however many callers it is requested', async () => {
    for (const slug of ['one', 'two', 'three']) await create(slug);
    asked = [];
    await Promise.all(Array.from({ length: 20 }, () => slugs()));
    expect(await slugs('?includeDeleted=true')).toEqual(['three', 'two', 'one']);
    expect(times('ids sandboxes')).toBe(1);
    expect(times('ids deletedSandboxes')).toBe(1);
    const other = customer;
    customer = await harness.customer();
    await create('four');
    asked = [];
    expect(await slugs()).toEqual(['four']);
    expect(times('ids sandboxes')).toBe(1);
    customer = other;
    expect(await slugs()).toEqual(['three', 'two', 'one']);
    expect(times('ids sandboxes')).toBe(1);
  });

  test('shows every change at once, including another process’s', async () => {
    await create('one');
    expect(await slugs()).toEqual(['one']);
    const second = buildApp({ ...harness.dependencies, metrics: new Registry() });
    const payload = { name: 'two', slug: 'two', sandboxType: 'CUSTOM' };
    const { headers } = customer;
    const made = await second.inject({ method: 'POST', url: '/sandboxes', headers, payload });
    await second.close();
    expect(made.statusCode).toBe(201);
    expect(await slugs()).toEqual(['two', 'one']);
    await harness.call({ method: 'DELETE', url: '/sandboxes/one', headers: customer.headers });
    expect(await slugs()).toEqual(['two']);
    expect(await slugs('?includeDeleted=true')).toEqual(['two', 'one']);
  });
});
