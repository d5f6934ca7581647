import {
  CUSTOMERS,
  type DocumentRef,
  type Documents,
  type DocumentWrite,
  type StoredDocument,
} from '#platform/state/port.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { auditorEvent } from '../auditors/auditor-event.ts';
import { type AuditorRecord, auditorRef } from '../auditors/auditor-record.ts';
import { raiseAuditorVersion } from '../auditors/revoke-auditor.ts';
import type { LedgerEvent } from '../changes/ledger-events.ts';
import type { OlderDocument, RaiseDependencies } from '../changes/older-document.ts';
import { raiseSettingsVersion } from '../correlations/raise-settings-version.ts';
import {
  correlationSettingsEvent,
  correlationSettingsRef,
  type StoredCorrelationSettings,
} from '../correlations/settings-record.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import type { ApiKeyRecord } from '../documents/api-key-record.ts';
import { SANDBOXES, type SandboxRecord } from '../documents/sandbox-record.ts';
import { closingEvent, requestErasure } from '../erasure/erasures.ts';
import { storedIncidentEvent } from '../incidents/incident-event.ts';
import { listedWrites } from '../incidents/incident-index.ts';
import { type IncidentRecord, incidentRef } from '../incidents/incident-record.ts';
import { raiseIncidentVersion } from '../incidents/raise-incident-version.ts';
import { keyEvent, keyRef, raiseApiKeyVersion } from '../keys/api-keys.ts';
import {
  livePolicyWrite,
  type PolicyRecord,
  policyRef,
  policyVersionEvent,
} from '../policies/policy-record.ts';
import { raisePolicyVersion } from '../policies/raise-policy-version.ts';
import { holdsEvent, holdsRef, type LegalHolds } from '../retention/legal-holds.ts';
import {
  type RetentionPolicy,
  retentionPolicyRef,
  policyVersionEvent as retentionVersionEvent,
} from '../retention/policy-record.ts';
import { raiseHoldsVersion, raiseRetentionPolicyVersion } from '../retention/raise-retention-version.ts';
import { raiseSandboxVersion } from '../sandboxes/sandbox-changes.ts';
import { keptWrites, policyEvent } from '../sandboxes/sandbox-writes.ts';
import { raiseSessionEnds, sessionEndEvent } from '../users/session-ends.ts';

/** The entry of a stored document, made by the same code as when the document is written. */
interface StoredEntry {
  readonly event: LedgerEvent;
  /** CORE: only the core can be compared, because the document does not say who changed it and when. */
  readonly known: 'ENTRY' | 'CORE';
}

/** A type of document whose every version is an entry of the ledger. */
export interface LedgeredDocuments {
  /** Name for operators. */
  readonly name: string;
  readonly kind: LedgerKind;
  /** Ids of its entries (RE2): the first group is the document's id, the second the version (1 if there is none). */
  readonly entryId: string;
  readonly refOf: (customerId: string, id: string) => DocumentRef;
  /** The version in the document's last entry. */
  readonly versionOf: (stored: StoredDocument) => number;
  /** The document's last entry, from its content; null: the state no longer has what the entry says. */
  readonly entryOf: (
    documents: Pick<Documents, 'get'>,
    customerId: string,
    stored: StoredDocument,
  ) => Promise<StoredEntry | null>;
  /** Documents without entries that are written with each version and follow from it. */
  readonly nextTo?: (stored: StoredDocument) => readonly DocumentWrite[];
  /**
   * Gives an existing document a version above the ledger's, with its entry. Anything that had ended according to the
   * ledger stays ended. May be repeated.
   */
  readonly raiseVersion: (dependencies: RaiseDependencies, older: OlderDocument) => Promise<void>;
}

const whole = async (event: LedgerEvent): Promise<StoredEntry> => ({ event, known: 'ENTRY' });
const coreOf = async (event: LedgerEvent): Promise<StoredEntry> => ({ event, known: 'CORE' });

/**
 * The state must never be older than the ledger (`older-documents.ts`): new types of documents with ledger entries, and
 * new kinds of entries, must be added here.
 */
export const LEDGERED_DOCUMENTS: readonly LedgeredDocuments[] = [
  {
    name: 'sandbox',
    kind: 'POLICY_EVENT',
    entryId: '^sandbox:(.+):([0-9]+)$',
    refOf: (scope, id) => ({ scope, collection: SANDBOXES, id }),
    versionOf: ({ value }) => (value as SandboxRecord).version,
    entryOf: (_, customerId, { value }) => whole(policyEvent(customerId, value as SandboxRecord)),
    nextTo: ({ value }) => keptWrites(value as SandboxRecord),
    raiseVersion: raiseSandboxVersion,
  },
  {
    name: 'policy',
    kind: 'POLICY_EVENT',
    entryId: '^policy:(.+):([0-9]+)$',
    refOf: policyRef,
    versionOf: ({ value }) => (value as PolicyRecord).version,
    entryOf: (_, customerId, { value }) => whole(policyVersionEvent(customerId, value as PolicyRecord)),
    nextTo: ({ value }) => [livePolicyWrite(value as PolicyRecord)],
    raiseVersion: raisePolicyVersion,
  },
  {
    name: 'API key',
    kind: 'KEY_EVENT',
    entryId: '^([^:]+):([0-9]+)$',
    refOf: keyRef,
    versionOf: ({ version }) => version,
    entryOf: (_, customerId, { value, version }) =>
      whole(keyEvent(customerId, value as ApiKeyRecord, version)),
    raiseVersion: raiseApiKeyVersion,
  },
  {
    name: 'auditor',
    kind: 'KEY_EVENT',
    entryId: '^auditor:(.+):([0-9]+)$',
    refOf: auditorRef,
    versionOf: ({ version }) => version,
    entryOf: (_, customerId, { value, version }) =>
      whole(auditorEvent(customerId, value as AuditorRecord, version)),
    raiseVersion: raiseAuditorVersion,
  },
  {
    name: 'incident',
    kind: 'INCIDENT_EVENT',
    entryId: '^([^:]+):([0-9]+)$',
    refOf: incidentRef,
    versionOf: ({ value }) => (value as IncidentRecord).version,
    entryOf: async (documents, customerId, { value }) => {
      const event = await storedIncidentEvent(documents, customerId, value as IncidentRecord);
      return event === null ? null : whole(event);
    },
    nextTo: ({ value }) => listedWrites(value as IncidentRecord),
    raiseVersion: raiseIncidentVersion,
  },
  {
    name: 'retention policy',
    kind: 'POLICY_EVENT',
    entryId: '^retention:(.+):([0-9]+)$',
    refOf: retentionPolicyRef,
    versionOf: ({ value }) => (value as RetentionPolicy).version,
    entryOf: (_, customerId, { value }) => whole(retentionVersionEvent(customerId, value as RetentionPolicy)),
    raiseVersion: raiseRetentionPolicyVersion,
  },
  {
    name: 'list of legal holds',
    kind: 'POLICY_EVENT',
    entryId: '^(hold):([0-9]+)$',
    refOf: holdsRef,
    versionOf: ({ value }) => (value as LegalHolds).version,
    entryOf: (_, customerId, { value }) => coreOf(holdsEvent(customerId, value as LegalHolds, '', null)),
    raiseVersion: raiseHoldsVersion,
  },
  {
    name: 'settings of patterns',
    kind: 'POLICY_EVENT',
    entryId: '^(settings):([0-9]+)$',
    refOf: correlationSettingsRef,
    versionOf: ({ value }) => (value as StoredCorrelationSettings).version,
    entryOf: (_, customerId, { value }) =>
      coreOf(correlationSettingsEvent(customerId, value as StoredCorrelationSettings, null)),
    raiseVersion: raiseSettingsVersion,
  },
  {
    // Kept in the customer's record, so that it is also raised if no session had ever ended.
    name: 'ended sessions',
    kind: 'KEY_EVENT',
    entryId: '^session:(ended):([0-9]+)$',
    refOf: (scope) => ({ scope, collection: CUSTOMERS, id: scope }),
    versionOf: ({ value }) => (value as CustomerRecord).sessionEnds ?? 0,
    entryOf: (_, customerId, { value }) =>
      coreOf(sessionEndEvent(customerId, (value as CustomerRecord).sessionEnds ?? 0, '')),
    raiseVersion: raiseSessionEnds,
  },
  {
    // A customer is closed only once; a state that lost the erasure closes and erases the customer again.
    name: 'erasure',
    kind: 'ERASURE',
    entryId: '^.+:(closing)$',
    refOf: (scope) => ({ scope, collection: CUSTOMERS, id: scope }),
    versionOf: ({ value }) => ((value as CustomerRecord).erasure === undefined ? 0 : 1),
    entryOf: async (_, customerId, { value }) => {
      const { erasure } = value as CustomerRecord;
      return erasure === undefined ? null : coreOf(closingEvent(customerId, customerId, erasure.requestedAt));
    },
    raiseVersion: async (dependencies, { customerId }) => {
      const at = new Date(dependencies.now()).toISOString();
      await requestErasure(dependencies, { customerId, id: dependencies.newId(), at, despiteHolds: true });
    },
  },
];
