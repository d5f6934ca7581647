import type { CustomerAdmission, KeyAdmission } from '#platform/state/port.ts';
import type { DetectionSettings } from '#schemas/ledger/policy-event.v1.ts';
import type {
  CustomerType,
  GuardianAction,
  Plan,
  RedactionStrategy,
  Region,
  RiskLevel,
  SandboxType,
} from '#schemas/vocabulary.ts';

/** Collections of the state other than those that admission reads (`platform/state/port.ts`). */
export const SANDBOXES = 'sandboxes';
export const SANDBOX_VERSIONS = 'sandboxVersions';
export const SANDBOX_COUNTS = 'sandboxCounts';
/** The last checkpoint of a customer's ledger. */
export const CHECKPOINTS = 'checkpoints';
/** What verifications of a customer's ledger found, and their jobs. */
export const VERIFICATIONS = 'verifications';
/** In the system's scope. */
export const SIGNING_KEYS = 'signingKeys';
/** Documents that the ledger knows and the state has lost, with the version that an operator gave up. */
export const LOST_DOCUMENTS = 'lostDocuments';

/** Document `CUSTOMERS`, id = customer id, in the customer's own scope. Times are ISO 8601. */
export interface CustomerRecord extends CustomerAdmission {
  readonly id: string;
  readonly name: string;
  readonly type: CustomerType;
  readonly plan: Plan;
  /** Overrides as the platform set them; null: the plan's. The admission numbers follow from plan and overrides. */
  readonly overrides: {
    readonly rate: number | null;
    readonly burst: number | null;
    readonly auditQuota: number | null;
    readonly sandboxQuota: number | null;
  };
  /** null: unlimited. */
  readonly sandboxQuota: number | null;
  readonly createdAt: string;
  /** How often sessions were ended before their time; absent: never. */
  readonly sessionEnds?: number;
  /** Set once the customer is to be erased; `active` is false from then on. */
  readonly erasure?: CustomerErasure;
}

/** How far a customer's erasure is, as shown. */
interface CustomerErasure {
  readonly status: 'IN_PROGRESS' | 'COMPLETED';
  readonly requestedAt: string;
  readonly completedAt?: string;
}

/** Document `API_KEYS`, id = key id. The key itself is never stored. */
export interface ApiKeyRecord extends KeyAdmission {
  readonly id: string;
  readonly name: string;
  /** First 8 characters of the key. */
  readonly prefix: string;
  /** Lower-case hex SHA-256 of the key. */
  readonly keyHash: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

/** Settings that a change of a sandbox may contain. */
export interface SandboxSettings {
  readonly name: string;
  readonly sandboxType: SandboxType;
  readonly regulations: readonly string[];
  readonly alertThreshold: RiskLevel;
  readonly guardianAction: GuardianAction;
  readonly customRules: readonly string[];
  readonly region: Region;
  readonly active: boolean;
  readonly redactionStrategy: RedactionStrategy;
  /** What is left out of what is found; absent when nothing is. */
  readonly detection?: DetectionSettings;
}

/** Document `SANDBOXES`, id = sandbox id; and, immutable, `SANDBOX_VERSIONS`, id = `<sandbox id>:<version>`. */
export interface SandboxRecord extends SandboxSettings {
  readonly id: string;
  /** From 1; names the rules that a signal was judged by (`policyVersion`). */
  readonly version: number;
  /** As given; unique and matched with `-` equal to `_`. */
  readonly slug: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  /** The change that made this version; absent in the first one. */
  readonly changeId?: string;
}

/** The spelling by which slugs are matched: `-` equals `_`. */
export const normaliseSlug = (slug: string): string => slug.toLowerCase().replaceAll('-', '_');

/** Id of an immutable sandbox version. */
export const sandboxVersionId = (sandboxId: string, version: number): string => `${sandboxId}:${version}`;
