import type { Sockets } from './sockets.ts';

/** A hostile customer: it does what it may, and what it may not as well. */
export interface HostileAccount {
  readonly key: string;
  /** Slug of its only sandbox. */
  readonly slug: string;
}

export interface AttackContext {
  readonly sockets: Sockets;
  /** Made for this attack, with full buckets, on plan DEV; with a history where the attack asks for it. */
  readonly accounts: readonly HostileAccount[];
}

export interface Attack {
  readonly name: string;
  /** Proof that the attack took place: statuses, or `closed` where connections are closed. Each must have been seen. */
  readonly answers: readonly (number | 'closed' | 'connected')[];
  /** Number of hostile customers (default 2). */
  readonly accounts?: number;
  /** Customers that have used up their audits of the month, so that there is something to read. */
  readonly withHistory?: true;
  /** Begins the attack; it continues by itself until the sockets are closed. */
  begin(context: AttackContext): void;
}

/** What the attacker's process receives. */
export interface AttackOrder {
  readonly attack: string;
  readonly url: string;
  readonly accounts: readonly HostileAccount[];
  /** Address of its connections: one that the service has not seen yet. */
  readonly address: string;
}

/** What it reports: once when it has begun, and the number of each status or fault when it is over. */
export type AttackReport =
  | { readonly begun: true }
  | { readonly seen: Readonly<Record<string, number>>; readonly cpuSeconds: number };
