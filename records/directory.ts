import type { Admission, Documents } from '#platform/state/port.ts';
import type { Announce, EntryMaker } from './changes/ledger-events.ts';
import type { CustomerRecord } from './customers/customer-record.ts';
import {
  type CustomerChange,
  changeCustomer,
  createCustomer,
  customerIds,
  customersById,
  getCustomer,
  type NewCustomer,
} from './customers/customers.ts';
import type { SandboxRecord } from './documents/sandbox-record.ts';
import { requestErasure } from './erasure/erasures.ts';
import {
  apiKeyIds,
  apiKeysById,
  type CreatedApiKey,
  createApiKey,
  type ListedApiKey,
  type NewApiKey,
  revokeApiKey,
} from './keys/api-keys.ts';
import {
  type ChangedSandbox,
  changeSandbox,
  deleteSandbox,
  type SandboxChange,
} from './sandboxes/sandbox-changes.ts';
import { sandboxIds } from './sandboxes/sandbox-ids.ts';
import {
  type CreatedSandbox,
  createSandbox,
  getSandbox,
  type NewSandbox,
  sandboxById,
  sandboxIdOfSlug,
} from './sandboxes/sandboxes.ts';

interface DirectoryDependencies {
  readonly documents: Documents;
  readonly admission: Pick<Admission, 'lastUsed'>;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
  readonly randomBytes: (size: number) => Buffer;
}

/**
 * Customers, API keys and sandboxes. Creations take the new record's id and time, so that a repeat after a crash finds
 * the earlier attempt's result. Every method rejects with `StateUnavailable` when the state is down.
 */
export interface Directory {
  createCustomer(input: NewCustomer): Promise<CustomerRecord>;
  getCustomer(id: string): Promise<CustomerRecord | null>;
  /** In order; creation of some may have failed half-way. */
  customerIds(): Promise<readonly string[]>;
  customersById(ids: readonly string[]): Promise<CustomerRecord[]>;
  changeCustomer(change: CustomerChange): Promise<CustomerRecord | null>;
  /** Refuses the customer's requests from now on and erases it step by step; `id` and `at` are those of the erasure. */
  eraseCustomer(request: Parameters<typeof requestErasure>[1]): ReturnType<typeof requestErasure>;
  createApiKey(input: NewApiKey): Promise<CreatedApiKey>;
  apiKeyIds(customerId: string): Promise<string[]>;
  apiKeysById(customerId: string, ids: readonly string[]): Promise<ListedApiKey[]>;
  revokeApiKey(customerId: string, keyId: string, at: string): Promise<ListedApiKey | null>;
  createSandbox(input: NewSandbox): Promise<CreatedSandbox>;
  changeSandbox(change: SandboxChange): Promise<ChangedSandbox>;
  deleteSandbox(deletion: Omit<SandboxChange, 'settings' | 'budget'>): Promise<ChangedSandbox>;
  getSandbox(customerId: string, idOrSlug: string, includeDeleted?: boolean): Promise<SandboxRecord | null>;
  /** Includes deleted ones. */
  sandboxById(customerId: string, id: string): Promise<SandboxRecord | null>;
  /** Includes deleted ones: their slugs stay taken. */
  sandboxIdOfSlug(customerId: string, slug: string): Promise<string | null>;
  /** For lists, which only read the records that they show. */
  sandboxIds(customerId: string, includeDeleted?: boolean): Promise<readonly string[]>;
}

export function openDirectory(dependencies: DirectoryDependencies): Directory {
  const { documents } = dependencies;
  const knownSandboxIds = sandboxIds(documents);
  return {
    createCustomer: (input) => createCustomer(documents, input),
    getCustomer: (id) => getCustomer(documents, id),
    customerIds: () => customerIds(documents),
    customersById: (ids) => customersById(documents, ids),
    changeCustomer: (change) => changeCustomer(documents, change),
    eraseCustomer: (request) => requestErasure(dependencies, request),
    createApiKey: (input) => createApiKey(dependencies, input),
    apiKeyIds: (customerId) => apiKeyIds(dependencies, customerId),
    apiKeysById: (customerId, ids) => apiKeysById(dependencies, customerId, ids),
    revokeApiKey: (customerId, keyId, at) => revokeApiKey(dependencies, customerId, keyId, at),
    createSandbox: (input) => createSandbox(dependencies, input),
    changeSandbox: (change) => changeSandbox(dependencies, change),
    deleteSandbox: (deletion) => deleteSandbox(dependencies, deletion),
    getSandbox: (customerId, idOrSlug, includeDeleted) =>
      getSandbox(documents, customerId, idOrSlug, includeDeleted),
    sandboxById: (customerId, id) => sandboxById(documents, customerId, id),
    sandboxIdOfSlug: (customerId, slug) => sandboxIdOfSlug(documents, customerId, slug),
    sandboxIds: knownSandboxIds.of,
  };
}
