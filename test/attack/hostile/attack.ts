import type { Sockets } from './sockets.ts';

/** A hostile customer: what it may do it does, and what it may not as well. */
export interface HostileAccount {
  readonly key: string;
  /** Of its only sandbox. */
  readonly slug: string;
}

export interface AttackContext {
  readonly sockets: Sockets;
  /** Made for this attack, with full buckets, on plan DEV; those with a history where the attack asks for them. */
  readonly accounts: readonly HostileAccount[];
}

export interface Attack {
  readonly name: string;
  /** What shows that the attack was one: statuses, or `closed` where connections are closed. Each must have been seen. */
  readonly answers: readonly (number | 'closed' | 'connected')[];
  /** How many hostile customers it has (default 2). */
  readonly accounts?: number;
  /** True: customers that have used up their audits of the month, so that there is something to read. */
  readonly withHistory?: true;
  /** Begins it; it goes on by itself until the sockets are closed. */
  begin(context: AttackContext): void;
}

/** What the process of the attacker is told. */
export interface AttackOrder {
  readonly attack: string;
  readonly url: string;
  readonly accounts: readonly HostileAccount[];
  /** Where its connections come from: one that the service has not seen yet. */
  readonly address: string;
}

/** What it tells: once when it has begun, and how often it saw which status or fault when it is over. */
export type AttackReport =
  | { readonly begun: true }
  | { readonly seen: Readonly<Record<string, number>>; readonly cpuSeconds: number };
