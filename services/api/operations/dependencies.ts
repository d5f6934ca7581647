import type { Registry } from 'prom-client';
import type { StoredHeights } from '#core/evidence/tree/stored-subtrees.ts';
import type { Detection } from '#detection/port.ts';
import type { Codec } from '#platform/codec/port.ts';
import type { HostCheck } from '#platform/config/allowed-hosts.ts';
import type { EventLog } from '#platform/event-log/port.ts';
import type { PackageFiles } from '#platform/packages/port.ts';
import type { Probe } from '#platform/process/probe.ts';
import type { StoredNotifier } from '#platform/process/stored-notifier.ts';
import type { Keyring, Sealer } from '#platform/sealing/port.ts';
import type { SigningKey } from '#platform/sealing/signing-key.ts';
import type { State } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import type { Announce } from '#records/changes/ledger-events.ts';
import type { LedgerWatch } from '#records/comparison/ledger-watch.ts';
import type { Directory } from '#records/directory.ts';
import type { StoppedPartitions } from '#records/losses/watch-partitions.ts';
import type { SandboxVersions } from '#records/sandboxes/sandbox-versions.ts';
import type { Surface } from '#schemas/api/contract.ts';
import type { Readiness } from '#schemas/api/operation.ts';
import type { RequestsInProgress } from './requests-in-progress.ts';
import type { HeldRights } from './rights/held-rights.ts';

export interface ApiSettings {
  /** Lower-case name of the API key's header. */
  readonly keyHeader: string;
  /** Path under which a proxy serves the service, such as /audit; empty: none. */
  readonly basePath: string;
  /** First part of the name in signed notes. */
  readonly ledgerOrigin: string;
  /** ISO 8601: since when the signing key has been in use. */
  readonly signingKeySince: string;
  /** A request that has not arrived in full after this time is answered with 408. */
  readonly requestTimeoutMs: number;
  /** Concurrent connections of a listener. */
  readonly maxConnections: number;
  /** How long a refusal (429) is delayed: never longer than its Retry-After. */
  readonly refusalPauseMs: number;
  /** How long a probe from an address with too many requests is delayed: shorter than a probe's timeout. */
  readonly probePauseMs: number;
  /** Addresses and networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted. */
  readonly trustedProxies: readonly string[];
  readonly isAllowedHost: HostCheck;
  /** Whether anyone may create an account. */
  readonly isSignupOpen: boolean;
}

/** Everything the API depends on. Nothing in it reads the environment. */
export interface ApiDependencies {
  readonly state: State;
  readonly log: EventLog;
  readonly codec: Codec;
  readonly sandboxVersions: SandboxVersions;
  readonly detection: Detection;
  readonly keyring: Sealer & Pick<Keyring, 'hashKey' | 'documentSeals'>;
  readonly signingKey: SigningKey;
  readonly warehouse: Warehouse;
  /** Storage of evidence packages; without it none are made. */
  readonly packages?: PackageFiles;
  /** Notified of customers' requests and of signals about them; without it they are not counted. */
  readonly requests?: RequestsInProgress;
  /** Rights that admitted the answers in progress; `state` is watched by it. One per process. */
  readonly rights: HeldRights;
  /** The log's epoch, as agreed by log, state and warehouse. */
  readonly epoch: number;
  /** Notified of documents whose ledger entries wait in the outbox. */
  readonly announce: Announce;
  /** Lets a waiting `GET /audits/:id` answer as soon as the audit's state is stored; without it, the handler polls. */
  readonly onStored?: StoredNotifier['subscribe'];
  /** Unix ms. */
  readonly now: () => number;
  /** UUIDv7 with this time (Unix ms). */
  readonly newId: (at: number) => string;
  readonly randomBytes: (size: number) => Buffer;
  /** Accepted values of x-internal-secret; empty: the internal paths answer 401. */
  readonly internalSecrets: readonly string[];
  /** What this listener serves (default: everything). */
  readonly surfaces?: readonly Surface[];
  readonly readiness: () => Promise<Readiness>;
  /** What is known of the state's age; without it the state is assumed to be current. */
  readonly ledger?: Pick<LedgerWatch, 'standing' | 'onOlder'>;
  /** Partitions for which nothing is accepted; without it, none. */
  readonly stoppedPartitions?: StoppedPartitions;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** How long a request for patterns waits for them, ms. */
  readonly patternAnswerMs?: number;
  /** Heights at which subtrees are stored; lower in the simulation, whose ledgers are short. */
  readonly treeHeights?: StoredHeights;
  readonly probe?: Probe | undefined;
  readonly settings: ApiSettings;
}

/** Dependencies for creating and reading the directory's records. */
export type RecordDependencies = Pick<ApiDependencies, 'state' | 'logger' | 'now' | 'newId'> & {
  readonly directory: Directory;
};
