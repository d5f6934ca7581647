import { getCustomer, listCustomers } from '#schemas/endpoints.ts';
import { type Client, RequestFailed } from './client.ts';

const NOT_FOUND = 'NOT_FOUND';

/**
 * An operator's call about a customer. Unknown paths, customers and keys all return NOT_FOUND: this finds out which it
 * is. `other`: what else the call names.
 */
export async function ofCustomer<T>(
  client: Client,
  id: string,
  call: () => Promise<T>,
  other = 'Not found',
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.call(listCustomers, { query: { limit: 1 } });
    const isKnown = await client.call(getCustomer, { params: { id } }).then(
      () => true,
      (failure: unknown) => {
        if (isNotFound(failure)) return false;
        throw failure;
      },
    );
    const message = isKnown ? other : `No customer ${id}. "cas accounts list" shows all customers`;
    throw new RequestFailed(message, error.statusCode, NOT_FOUND);
  }
}

const isNotFound = (error: unknown): error is RequestFailed =>
  error instanceof RequestFailed && error.code === NOT_FOUND;
