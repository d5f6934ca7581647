import { API_KEYS, CUSTOMERS, type DocumentRef, type StoredDocument } from '#platform/state/port.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { liftApiKey } from './api-keys.ts';
import { auditorRef } from './auditors/auditor-record.ts';
import { liftAuditor } from './auditors/revoke-auditor.ts';
import type { LiftDependencies, OlderDocument } from './comparison/older-document.ts';
import { liftCorrelationSettings } from './correlations/lift-settings.ts';
import { correlationSettingsRef, type StoredCorrelationSettings } from './correlations/settings-record.ts';
import { requestErasure } from './erasures.ts';
import { type IncidentRecord, incidentRef } from './incidents/incident-record.ts';
import { liftIncident } from './incidents/lift-incident.ts';
import { liftPolicy } from './policies/lift-policy.ts';
import { type PolicyRecord, policyRef } from './policies/policy-record.ts';
import { type CustomerRecord, SANDBOXES, type SandboxRecord } from './records.ts';
import { holdsRef, type LegalHolds } from './retention/legal-holds.ts';
import { liftHolds, liftRetentionPolicy } from './retention/lift-retention.ts';
import { type RetentionPolicy, retentionPolicyRef } from './retention/policy-record.ts';
import { liftSandbox } from './sandboxes/sandbox-changes.ts';

/** Documents of one type, each version of which is an entry of the ledger. */
export interface LedgeredDocuments {
  /** What operators call such a document. */
  readonly name: string;
  readonly kind: LedgerKind;
  /** Ids of its entries (RE2): the first group is the document's id, the second the version, 1 without one. */
  readonly entryId: string;
  readonly refOf: (customerId: string, id: string) => DocumentRef;
  /** The version in the document's last entry. */
  readonly versionOf: (stored: StoredDocument) => number;
  /**
   * Gives an existing document a version above the ledger's, with its entry. What had ended according to the ledger
   * stays ended. May be repeated.
   */
  readonly lift: (dependencies: LiftDependencies, older: OlderDocument) => Promise<void>;
}

/**
 * All of them. The state must never be older than the ledger (`older-documents.ts`): a new type of document with ledger
 * entries, or a new kind of entry, is added here.
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
    name: 'policy',
    kind: 'POLICY_EVENT',
    entryId: '^policy:(.+):([0-9]+)$',
    refOf: policyRef,
    versionOf: ({ value }) => (value as PolicyRecord).version,
    lift: liftPolicy,
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
    name: 'auditor',
    kind: 'KEY_EVENT',
    entryId: '^auditor:(.+):([0-9]+)$',
    refOf: auditorRef,
    versionOf: ({ version }) => version,
    lift: liftAuditor,
  },
  {
    name: 'incident',
    kind: 'INCIDENT_EVENT',
    entryId: '^([^:]+):([0-9]+)$',
    refOf: incidentRef,
    versionOf: ({ value }) => (value as IncidentRecord).version,
    lift: liftIncident,
  },
  {
    name: 'retention policy',
    kind: 'POLICY_EVENT',
    entryId: '^retention:(.+):([0-9]+)$',
    refOf: retentionPolicyRef,
    versionOf: ({ value }) => (value as RetentionPolicy).version,
    lift: liftRetentionPolicy,
  },
  {
    name: 'list of legal holds',
    kind: 'POLICY_EVENT',
    entryId: '^(hold):([0-9]+)$',
    refOf: holdsRef,
    versionOf: ({ value }) => (value as LegalHolds).version,
    lift: liftHolds,
  },
  {
    name: 'settings of patterns',
    kind: 'POLICY_EVENT',
    entryId: '^(settings):([0-9]+)$',
    refOf: correlationSettingsRef,
    versionOf: ({ value }) => (value as StoredCorrelationSettings).version,
    lift: liftCorrelationSettings,
  },
  {
    // A customer is closed only once; a state that has forgotten it closes and erases it again.
    name: 'erasure',
    kind: 'ERASURE',
    entryId: '^.+:(closing)$',
    refOf: (scope) => ({ scope, collection: CUSTOMERS, id: scope }),
    versionOf: ({ value }) => ((value as CustomerRecord).erasure === undefined ? 0 : 1),
    lift: async (dependencies, { customerId }) => {
      const at = new Date(dependencies.now()).toISOString();
      await requestErasure(dependencies, { customerId, id: dependencies.newId(), at, despiteHolds: true });
    },
  },
];
