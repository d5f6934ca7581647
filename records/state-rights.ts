import { KEKS } from '#platform/sealing/customer-keys.ts';
import type { Collection } from '#platform/state/collection.ts';
import { API_KEYS, CUSTOMERS, META, SESSIONS } from '#platform/state/port.ts';
import { ruleText } from '#platform/state/redis/connection/rules.ts';
import { KEY_PREFIX } from '#platform/state/redis/keys.ts';
import {
  type CollectionRight,
  redisRules,
  type StateRights,
  WHOLE_STATE,
} from '#platform/state/redis/rights.ts';
import { AUDITORS } from './auditors/auditor-record.ts';
import { LOST_DOCUMENTS } from './changes/older-document.ts';
import { USAGE_COLLECTIONS } from './changes/record-usage.ts';
import { CORRELATION_SETTINGS } from './correlations/settings-record.ts';
import { ARCHIVED_VERSIONS } from './documents/sandbox-marks.ts';
import { SANDBOX_VERSIONS, SANDBOXES } from './documents/sandbox-record.ts';
import { COLLECTIONS } from './erasure/collections.ts';
import { ERASURES, OPEN_ERASURES } from './erasure/erasure-record.ts';
import { INCIDENT_INDEX_COLLECTIONS } from './incidents/incident-index.ts';
import { INCIDENT_COLLECTIONS, INCIDENTS } from './incidents/incident-record.ts';
import { ACCEPTED_LOSSES } from './losses/accepted-losses.ts';
import { ENFORCEMENT_COLLECTIONS } from './policies/enforcement-records.ts';
import { POLICIES } from './policies/policy-record.ts';
import { LEGAL_HOLDS } from './retention/legal-holds.ts';
import { RETENTION_POLICIES } from './retention/policy-record.ts';
import { RETURNED_CONTENT } from './retention/returned-content.ts';

/** The roles, each with a separate Redis user. */
export const STATE_ROLES = ['api', 'analyzer', 'sink', 'correlator', 'migrate'] as const;
export type StateRole = (typeof STATE_ROLES)[number];

const ofCustomers = (...collections: string[]): CollectionRight[] =>
  collections.map((collection) => ({ scope: 'customers', collection }));
const ofSystem = (...collections: string[]): CollectionRight[] =>
  collections.map((collection) => ({ scope: 'system', collection }));
const declared = (...collections: Collection[]): CollectionRight[] =>
  collections.map(({ scope, name }) => ({ scope, collection: name }));

/** Everything that each role does with the state, and nothing else. The API manages the state. */
export const STATE_RIGHTS: Readonly<Record<StateRole, StateRights | typeof WHOLE_STATE>> = {
  api: WHOLE_STATE,
  analyzer: {
    reads: [...ofCustomers(KEKS, SANDBOX_VERSIONS), ...ofSystem(META, ACCEPTED_LOSSES)],
    lists: [],
    writes: [],
    makesEntries: false,
    // For its consumer group: `stop-notes.ts` and `death-watch.ts`.
    expiring: ['stopped:analyzer:', 'deaths:analyzer:', 'left:analyzer:'],
    removesMarks: false,
  },
  sink: {
    reads: [
      // To compare the ledger with them.
      ...ofCustomers(KEKS, API_KEYS, CUSTOMERS, SANDBOXES, INCIDENTS, AUDITORS, POLICIES, LOST_DOCUMENTS),
      ...ofCustomers(RETENTION_POLICIES, LEGAL_HOLDS, CORRELATION_SETTINGS),
      ...ofSystem(META, ACCEPTED_LOSSES),
    ],
    lists: ofSystem(OPEN_ERASURES),
    writes: [...ofCustomers(ERASURES), ...ofSystem(RETURNED_CONTENT)],
    makesEntries: false,
    expiring: ['stopped:sink:', 'stopped:findings:', 'lease:sink-jobs', 'lease:erasure-rows:'],
    removesMarks: true,
  },
  correlator: {
    // Owners of the signals, regulations that set deadlines, and the sealing key.
    reads: [...ofCustomers(KEKS, CUSTOMERS, SANDBOXES), ...ofSystem(META, ACCEPTED_LOSSES)],
    lists: [],
    // Opens incidents like the API, and records its progress.
    writes: declared(
      ...INCIDENT_COLLECTIONS,
      ...INCIDENT_INDEX_COLLECTIONS,
      ...USAGE_COLLECTIONS,
      ...ENFORCEMENT_COLLECTIONS,
    ),
    makesEntries: true,
    expiring: ['stopped:policies:', 'stopped:correlator:'],
    removesMarks: false,
  },
  migrate: {
    reads: ofCustomers(ARCHIVED_VERSIONS),
    lists: ofCustomers(SESSIONS),
    // All documents, to accept an older state, or documents that were changed outside the service.
    writes: declared(...COLLECTIONS),
    makesEntries: true,
    expiring: [],
    removesMarks: false,
  },
};

/** Default name of a role's user. */
export const stateUserOf = (role: StateRole): string => `cas_${role}`;

const rulesOf = (role: StateRole, database: number): string =>
  ruleText(redisRules(STATE_RIGHTS[role], { prefix: KEY_PREFIX, database }));

/**
 * Commands that give the users exactly these rights, for a server that you run. Repeatable at any time: each replaces a
 * user's rights in one step, and does not change passwords.
 */
export const stateUserCommands = (database: number): string[] =>
  STATE_ROLES.map((role) => `ACL SETUSER ${stateUserOf(role)} clearselectors ${rulesOf(role, database)}`);

/** Users of the compose set-ups other than roles: health checks, a replica, and operators. */
const OTHER_USERS: Readonly<Record<string, string>> = {
  cas_health: 'resetkeys resetchannels -@all +ping',
  cas_replica: 'resetkeys resetchannels -@all +psync +replconf +ping',
  cas_operator: '~* &* +@all',
};
export const STATE_USERS: readonly string[] = [...STATE_ROLES.map(stateUserOf), ...Object.keys(OTHER_USERS)];

/** A complete ACL file: no other users exist. `digestOf`: SHA-256 of a user's password, hex; null: omit the user. */
export function stateUsersFile(digestOf: (user: string) => string | null): string {
  const rules: Readonly<Record<string, string>> = {
    ...Object.fromEntries(STATE_ROLES.map((role) => [stateUserOf(role), rulesOf(role, 0)])),
    ...OTHER_USERS,
  };
  const lines = STATE_USERS.flatMap((user) => {
    const digest = digestOf(user);
    return digest === null ? [] : [`user ${user} on #${digest} ${rules[user]}`];
  });
  return ['user default off resetkeys resetchannels -@all', ...lines, ''].join('\n');
}
