import type { Registry } from 'prom-client';
import type { Codec } from '../../platform/codec/port.ts';
import type { Directory } from '../../platform/directory/directory.ts';
import type { Announce } from '../../platform/directory/ledger-events.ts';
import type { SandboxVersions } from '../../platform/directory/sandbox-versions.ts';
import type { EventLog } from '../../platform/event-log/port.ts';
import type { HostCheck } from '../../platform/runtime/allowed-hosts.ts';
import type { Logger } from '../../platform/runtime/logger.ts';
import type { StoredNotifier } from '../../platform/runtime/stored-notifier.ts';
import type { Keyring, Sealer } from '../../platform/sealing/port.ts';
import type { SigningKey } from '../../platform/sealing/signing-key.ts';
import type { State } from '../../platform/state/port.ts';
import type { Warehouse } from '../../platform/warehouse/port.ts';
import type { Surface } from '../../schemas/api/contract.ts';
import type { Readiness } from '../../schemas/api/operation.ts';
import type { ApiCrashPoint } from './crash-points.ts';
import type { BodyBudget } from './plugins/body-budget.ts';
import type { RequestsUnderWay } from './requests-under-way.ts';

export interface ApiSettings {
  /** Lower-case name of the header that carries the API key. */
  readonly keyHeader: string;
  /** First part of the name that signed notes carry. */
  readonly ledgerOrigin: string;
  /** ISO 8601: from when on the signing key was in use. */
  readonly signingKeySince: string;
  /** A request that has not arrived after so long is answered with 408. */
  readonly requestTimeoutMs: number;
  /** Connections of a listener at once. */
  readonly maxConnections: number;
  /** How long a refusal (429) is held: no longer than its Retry-After. */
  readonly refusalPauseMs: number;
  /** How long a probe of an address that asks too often is held: less than probes wait. */
  readonly probePauseMs: number;
  /** Addresses and networks of proxies whose X-Forwarded-For and X-Forwarded-Proto count. */
  readonly trustedProxies: readonly string[];
  readonly isAllowedHost: HostCheck;
}

/** Everything the API stands on. Nothing in it reads the environment. */
export interface ApiParts {
  readonly state: State;
  readonly log: EventLog;
  readonly codec: Codec;
  readonly sandboxVersions: SandboxVersions;
  readonly keyring: Sealer & Pick<Keyring, 'hashKey'>;
  readonly signingKey: SigningKey;
  readonly warehouse: Warehouse;
  /** Told of requests of customers and of signals about them; without it nobody counts them. */
  readonly requests?: RequestsUnderWay;
  /** Of the process: one for all its listeners. */
  readonly bodyBudget: BodyBudget;
  /** Of the log, as all parts agreed on it. */
  readonly epoch: number;
  /** Told of documents whose ledger entries wait in the outbox. */
  readonly announce: Announce;
  /** Lets a held `GET /audits/:id` answer as soon as the audit's state is stored; without it, it looks regularly. */
  readonly onStored?: StoredNotifier['subscribe'];
  /** Unix ms. */
  readonly now: () => number;
  /** UUIDv7 with this time (Unix ms). */
  readonly newId: (at: number) => string;
  readonly randomBytes: (size: number) => Buffer;
  /** Accepted values of x-internal-secret; none: the internal paths answer 401. */
  readonly internalSecrets: readonly string[];
  /** What this listener serves (default: everything). */
  readonly surfaces?: readonly Surface[];
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** Dies where a test asked for it. */
  readonly crashPoint?: (point: ApiCrashPoint) => void;
  readonly settings: ApiSettings;
}

/** What the records of the directory are made and read with. */
export type RecordParts = Pick<ApiParts, 'state' | 'logger' | 'now' | 'newId'> & {
  readonly directory: Directory;
};
