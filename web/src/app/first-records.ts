import type { QueryClient } from '@tanstack/react-query';
import { createOwnApiKey, createSandbox } from '#schemas/endpoints.ts';
import type { Api } from '../api/call.ts';
import { Fault } from '../api/fault.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { FIRST_KEY } from '../api/use-first-key.ts';

const FIRST_SANDBOX = { name: 'My app', slug: 'my-app', sandboxType: 'FULL_SPECTRUM' };

/**
 * Creates the sandbox and API key of a new account, and returns the key. Null on failure; the first steps offer what is
 * missing.
 */
export async function createFirstRecords(api: Api): Promise<string | null> {
  try {
    await api.call(createSandbox, { body: FIRST_SANDBOX, idempotencyKey: newIdempotencyKey() });
    const { data } = await api.call(createOwnApiKey, {
      body: { name: FIRST_SANDBOX.name },
      idempotencyKey: newIdempotencyKey(),
    });
    return data.key ?? null;
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** The key is only in this page's memory, until the page is reloaded or the user signs out. */
export function keepFirstKey(queries: QueryClient, key: string | null): void {
  queries.setQueryDefaults(FIRST_KEY, { gcTime: Number.POSITIVE_INFINITY });
  queries.setQueryData(FIRST_KEY, key);
}
