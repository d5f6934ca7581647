import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { DetectionSettings } from '#schemas/ledger/policy-event.v1.ts';
import type {
  GuardianAction,
  RedactionStrategy,
  Region,
  RiskLevel,
  SandboxType,
} from '#schemas/vocabulary.ts';

export const SANDBOXES = 'sandboxes';
export const SANDBOX_VERSIONS = 'sandboxVersions';
export const SANDBOX_COUNTS = 'sandboxCounts';
export const SANDBOX_COLLECTIONS: readonly Collection[] = [
  customerCollection(SANDBOXES, DELETED),
  customerCollection(SANDBOX_VERSIONS, DELETED),
  customerCollection(SANDBOX_COUNTS, DELETED),
];

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
  /** Matches to ignore; absent if there are none. */
  readonly detection?: DetectionSettings;
}

/** Document `SANDBOXES`, id = sandbox id; and, immutable, `SANDBOX_VERSIONS`, id = `<sandbox id>:<version>`. */
export interface SandboxRecord extends SandboxSettings {
  readonly id: string;
  /** Starts at 1; identifies the rules by which a signal was judged (`policyVersion`). */
  readonly version: number;
  /** As given; unique and compared with `-` equal to `_`. */
  readonly slug: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  /** The change that made this version; absent in the first. */
  readonly changeId?: string;
}

/** The form in which slugs are compared: `-` equals `_`. */
export const normaliseSlug = (slug: string): string => slug.toLowerCase().replaceAll('-', '_');

/** Id of an immutable sandbox version. */
export const sandboxVersionId = (sandboxId: string, version: number): string => `${sandboxId}:${version}`;
