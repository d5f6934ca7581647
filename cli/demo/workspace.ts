import { isLoopback } from '#platform/config/allowed-hosts.ts';
import type { Settings } from '#platform/config/settings.ts';
import { createApiKey, listApiKeys, listCustomers, revokeApiKey } from '#schemas/endpoints.ts';
import { type Client, createClient, internalClient } from '../command/client.ts';
import { printError } from '../command/output.ts';
import { createDemoCustomer, createDemoSandboxes, DEMO_NAME } from './customer.ts';

/** The customer that the first start created and its link opens. */
export interface Workspace {
  readonly customerId: string;
  readonly client: Client;
  readonly internal: Client;
  /** ISO 8601: when the demo first ran here; its history ends then. */
  readonly startedAt: string;
  /** The key to show at the end; null when no key stays. */
  readonly shownKey: string | null;
}

/** Each run creates a key with this name; the oldest shows when the demo first ran. */
const KEY_NAME = 'npm run demo';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly active?: boolean;
  readonly createdAt: string;
}

type List = (cursor: string | undefined) => ReturnType<Client['call']>;

async function readAll(list: List): Promise<Listed[]> {
  const records: Listed[] = [];
  let cursor: string | undefined;
  do {
    const { data, pagination } = (await list(cursor)).body as unknown as {
      readonly data: readonly Listed[];
      readonly pagination: { readonly nextCursor: string | null };
    };
    records.push(...data);
    cursor = pagination.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return records;
}

const oldest = (records: readonly Listed[]): Listed | undefined =>
  [...records].sort((one, other) => one.createdAt.localeCompare(other.createdAt))[0];

/**
 * Runs `use` in the demo customer, which is created if the service was started without one. The key of this run is
 * revoked at the end, also after a failure or an interruption.
 */
export async function inWorkspace<T>(
  settings: Settings,
  baseUrl: string,
  interrupted: Promise<never>,
  use: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const internal = internalClient(settings);
  const customers = await readAll((cursor) =>
    internal.call(listCustomers, { query: { limit: 100, cursor } }),
  );
  const found = oldest(customers.filter(({ name, active }) => name === DEMO_NAME && active !== false));
  const made = found === undefined ? await createDemoCustomer(internal, DEMO_NAME) : null;
  const id = found?.id ?? made!.customerId;
  const { id: keyId, key } = (await internal.call(createApiKey, { params: { id }, body: { name: KEY_NAME } }))
    .body as unknown as { readonly id: string; readonly key: string };
  const work = async (): Promise<T> => {
    const keys = await readAll((cursor) =>
      internal.call(listApiKeys, { params: { id }, query: { limit: 100, cursor } }),
    );
    const client = createClient(baseUrl, { [settings.keyHeader]: key });
    await createDemoSandboxes(client);
    return use({
      customerId: id,
      client,
      internal,
      startedAt: oldest(keys.filter(({ name }) => name === KEY_NAME))!.createdAt,
      // If others can reach the service, a key in a log or on a shared screen would give them access.
      shownKey: isLoopback(settings.host) ? (made?.key ?? null) : null,
    });
  };
  try {
    return await Promise.race([interrupted, work()]);
  } finally {
    await revokeKey(internal, id, keyId);
  }
}

async function revokeKey(internal: Client, id: string, keyId: string): Promise<void> {
  try {
    await internal.call(revokeApiKey, { params: { id, keyId } });
  } catch (error) {
    printError(
      `cas: The API key "${KEY_NAME}" is still active: ${(error as Error).message}. To revoke it: cas keys revoke ${id} ${keyId}`,
    );
  }
}
