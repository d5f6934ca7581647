import type { Client } from '../../cli/command/client.ts';

const VERIFY = '/evidence/hash-chain/verify';

/** Stored data as a customer and an operator see it, except what depends on the time of day. */
export async function readServed(
  client: Client,
  internal: Client,
  customerId: string,
  erasedId: string,
): Promise<Record<string, unknown>> {
  const data = async (asked: Client, url: string): Promise<unknown> => {
    const { body } = await asked.request('GET', url);
    return body.data ?? body;
  };
  const served: Record<string, unknown> = {};
  for (const url of [
    '/dashboard/signals?limit=100',
    '/audits?limit=100',
    '/dead-letters?limit=100',
    '/sandboxes?includeDeleted=true&limit=100',
  ])
    served[url] = await data(client, url);
  const { status, treeSize, chainHead, checkedEntries, erasedSignals, errors } = (await data(
    client,
    VERIFY,
  )) as Record<string, unknown>;
  served[VERIFY] = { status, treeSize, chainHead, checkedEntries, erasedSignals, errors };
  for (const { id } of served['/dashboard/signals?limit=100'] as { id: string }[])
    served[`/dashboard/signals/${id}`] = (await client.request('GET', `/dashboard/signals/${id}`)).body;
  for (const url of [`/internal/customers/${customerId}`, `/internal/customers/${erasedId}`])
    served[url] = await data(internal, url);
  const keys = `/internal/customers/${customerId}/api-keys`;
  served[keys] = ((await data(internal, keys)) as Record<string, unknown>[]).map(
    ({ lastUsedAt: _, ...key }) => key,
  );
  return served;
}
