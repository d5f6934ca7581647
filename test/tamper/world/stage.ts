import type { Answered, Harness } from '#services/api/testing/harness.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A service in which a story is told. Each of these throws when an answer is an error. */
export interface Stage {
  readonly harness: Harness;
  readonly customerId: string;
  readonly now: () => number;
  call(
    method: Method,
    url: string,
    headers: Readonly<Record<string, string>>,
    payload?: object,
  ): Promise<Answered>;
  /** By the customer's key. */
  send(method: Method, url: string, payload?: object): Promise<Answered>;
  /** By the customer's user, who is signed in. */
  session(method: Method, url: string, payload?: object): Promise<Answered>;
  /** Analyses what was ingested. */
  analyse(): Promise<void>;
  /** The analysis of an audit fails for good. */
  fail(auditId: string): Promise<void>;
  /** Stores what the log holds, compares it with policies, and looks for patterns, until nothing follows. */
  catchUp(): Promise<void>;
  /** Stores the roots of complete subtrees. */
  growTrees(): Promise<void>;
  /** Keeps the tables as they are, as a backup does. */
  backUp(): Promise<void>;
  /** Runs the policies of retention to their end. */
  retain(): Promise<void>;
  /** Erases a signal, with its receipt. */
  erase(auditId: string): Promise<void>;
  /** What a witness keeps from now on. */
  keepCheckpoint(): Promise<void>;
  /** Makes the packages that are asked for. */
  build(): Promise<void>;
}
