import type { LedgerKind } from '../../schemas/vocabulary.ts';
import { API_KEYS, CUSTOMERS, type DocumentRef, type Documents, type StoredDocument } from '../state/port.ts';
import { liftApiKey } from './api-keys.ts';
import { requestErasure } from './erasures.ts';
import type { Announce, EntryMaker } from './ledger-events.ts';
import { type CustomerRecord, SANDBOXES, type SandboxRecord } from './records.ts';
import { liftSandbox } from './sandbox-changes.ts';

/** A document that the ledger knows a newer version of. */
export interface OlderDocument {
  readonly customerId: string;
  readonly id: string;
  /** As the ledger holds it, and as the state does; 0: not at all. */
  readonly ledgerVersion: number;
  readonly stateVersion: number;
}

export interface LiftParts {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
  /** Unix ms. */
  readonly now: () => number;
  readonly newId: () => string;
}

/** Documents of one sort, each version of which is an entry of the ledger. */
export interface LedgeredDocuments {
  /** What operators call one of them. */
  readonly name: string;
  readonly kind: LedgerKind;
  /** Ids of its entries (RE2): the first group is the document's id, the second the version, 1 without one. */
  readonly entryId: string;
  readonly refOf: (customerId: string, id: string) => DocumentRef;
  /** The version that the document's last entry has. */
  readonly versionOf: (stored: StoredDocument) => number;
  /**
   * Gives the document, which is there, a version above the ledger's, with its entry. What had ended by the ledger does
   * not work again. May be repeated.
   */
  readonly lift: (parts: LiftParts, older: OlderDocument) => Promise<void>;
}

/**
 * All of them. The state must never be older than the ledger (`older-documents.ts`): whoever makes entries of another
 * sort of document, or of a new kind, adds it here.
 */
export const LEDGERED_DOCUMENTS: readonly LedgeredDocuments[] = [
  {
    name: 'sandbox',
    kind: 'POLICY_EVENT',
    entryId: '^sandbox:(.+):([0-9]+)$',
    refOf: (scope, id) => ({ scope, collection: SANDBOXES, id }),
    versionOf: ({ value }) => (value as SandboxRecord).version,
    lift: liftSandbox,
  },
  {
    name: 'API key',
    kind: 'KEY_EVENT',
    entryId: '^([^:]+):([0-9]+)$',
    refOf: (scope, id) => ({ scope, collection: API_KEYS, id }),
    versionOf: ({ version }) => version,
    lift: liftApiKey,
  },
  {
    // A customer is closed once and for all; the state forgets it and has it closed and erased again.
    name: 'erasure',
    kind: 'ERASURE',
    entryId: '^.+:(closing)$',
    refOf: (scope) => ({ scope, collection: CUSTOMERS, id: scope }),
    versionOf: ({ value }) => ((value as CustomerRecord).erasure === undefined ? 0 : 1),
    lift: async (parts, { customerId }) => {
      const at = new Date(parts.now()).toISOString();
      await requestErasure(parts, { customerId, id: parts.newId(), at });
    },
  },
];
