import { CUSTOMER_KEY_COLLECTIONS } from '#platform/sealing/customer-keys.ts';
import type { Collection } from '#platform/state/collection.ts';
import { STATE_COLLECTIONS, SYSTEM_SCOPE } from '#platform/state/port.ts';
import { ACTIVE_AUDITOR_COLLECTIONS } from '../auditors/active-auditors.ts';
import { AUDITOR_CALL_COLLECTIONS } from '../auditors/auditor-calls.ts';
import { AUDITOR_COLLECTIONS } from '../auditors/auditor-record.ts';
import { LOST_DOCUMENT_COLLECTIONS } from '../changes/older-document.ts';
import { USAGE_COLLECTIONS } from '../changes/record-usage.ts';
import { CORRELATION_COLLECTIONS } from '../correlations/correlation-run.ts';
import { CORRELATION_SETTINGS_COLLECTIONS } from '../correlations/settings-record.ts';
import { CUSTOMER_COLLECTIONS } from '../customers/customers.ts';
import { SANDBOX_MARK_COLLECTIONS } from '../documents/sandbox-marks.ts';
import { SANDBOX_COLLECTIONS } from '../documents/sandbox-record.ts';
import { INCIDENT_INDEX_COLLECTIONS } from '../incidents/incident-index.ts';
import { INCIDENT_COLLECTIONS } from '../incidents/incident-record.ts';
import { CHECKPOINT_COLLECTIONS } from '../ledger/checkpoints.ts';
import { SIGNING_KEY_COLLECTIONS } from '../ledger/signing-keys.ts';
import { VERIFICATION_COLLECTIONS } from '../ledger/verified-ledger.ts';
import { LOSS_COLLECTIONS } from '../losses/accepted-losses.ts';
import { PACKAGE_COLLECTIONS } from '../packages/package-record.ts';
import { ENFORCEMENT_COLLECTIONS } from '../policies/enforcement-records.ts';
import { POLICY_COLLECTIONS } from '../policies/policy-record.ts';
import { RETENTION_CUSTOMER_COLLECTIONS } from '../retention/change-policy.ts';
import { LEGAL_HOLD_COLLECTIONS } from '../retention/legal-holds.ts';
import { RETENTION_POLICY_COLLECTIONS } from '../retention/policy-record.ts';
import { RETENTION_RUN_COLLECTIONS } from '../retention/retention-run.ts';
import { RETURNED_CONTENT_COLLECTIONS } from '../retention/returned-content.ts';
import { SIGNAL_ERASURE_COLLECTIONS } from '../retention/signal-erasure.ts';
import { USER_COLLECTIONS } from '../users/user-record.ts';
import { ERASURE_COLLECTIONS } from './erasure-record.ts';

/** All collections of the state. The API's tests refuse writes to any other. */
export const COLLECTIONS: readonly Collection[] = [
  ...STATE_COLLECTIONS,
  ...CUSTOMER_KEY_COLLECTIONS,
  ...CUSTOMER_COLLECTIONS,
  ...ERASURE_COLLECTIONS,
  ...SANDBOX_COLLECTIONS,
  ...SANDBOX_MARK_COLLECTIONS,
  ...USAGE_COLLECTIONS,
  ...LOST_DOCUMENT_COLLECTIONS,
  ...USER_COLLECTIONS,
  ...INCIDENT_COLLECTIONS,
  ...INCIDENT_INDEX_COLLECTIONS,
  ...POLICY_COLLECTIONS,
  ...ENFORCEMENT_COLLECTIONS,
  ...AUDITOR_COLLECTIONS,
  ...ACTIVE_AUDITOR_COLLECTIONS,
  ...AUDITOR_CALL_COLLECTIONS,
  ...RETENTION_POLICY_COLLECTIONS,
  ...RETENTION_CUSTOMER_COLLECTIONS,
  ...RETENTION_RUN_COLLECTIONS,
  ...LEGAL_HOLD_COLLECTIONS,
  ...SIGNAL_ERASURE_COLLECTIONS,
  ...RETURNED_CONTENT_COLLECTIONS,
  ...PACKAGE_COLLECTIONS,
  ...CORRELATION_COLLECTIONS,
  ...CORRELATION_SETTINGS_COLLECTIONS,
  ...CHECKPOINT_COLLECTIONS,
  ...VERIFICATION_COLLECTIONS,
  ...SIGNING_KEY_COLLECTIONS,
  ...LOSS_COLLECTIONS,
];

const OF_CUSTOMERS = COLLECTIONS.filter(({ scope }) => scope === 'customers');
const OF_SYSTEM = COLLECTIONS.filter(({ scope }) => scope === 'system');

/** `scope`: a customer's id, or the system's scope. */
export const collectionsOf = (scope: string): readonly Collection[] =>
  scope === SYSTEM_SCOPE ? OF_SYSTEM : OF_CUSTOMERS;
