import type { Sockets } from './sockets.ts';

/** A hostile customer: it does what it is allowed to do, and also what it is not. */
export interface HostileAccount {
  readonly key: string;
  /** Slug of its only sandbox. */
  readonly slug: string;
}

export interface AttackContext {
  readonly sockets: Sockets;
  /** Created for this attack on plan DEV, with full buckets, and with a history if the attack needs one. */
  readonly accounts: readonly HostileAccount[];
}

export interface Attack {
  readonly name: string;
  /** Proof that the attack took place: expected statuses, or `closed` for closed connections. Each must occur. */
  readonly answers: readonly (number | 'closed' | 'connected')[];
  /** Number of hostile customers (default 2). */
  readonly accounts?: number;
  /** Uses customers that have spent their audits of the month, so that there is something to read. */
  readonly withHistory?: true;
  /** Starts the attack; it continues by itself until the sockets are closed. */
  start(context: AttackContext): void;
}

/** What the attacker's process receives. */
export interface AttackOrder {
  readonly attack: string;
  readonly url: string;
  readonly accounts: readonly HostileAccount[];
  /** Source address of its connections: one that the service has not seen yet. */
  readonly address: string;
}

/** Its reports: one when it has started, and the count of each status or fault when it is over. */
export type AttackReport =
  | { readonly started: true }
  | { readonly seen: Readonly<Record<string, number>>; readonly cpuSeconds: number };
