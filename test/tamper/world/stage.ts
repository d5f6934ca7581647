import type { Answered, Harness } from '#services/api/testing/harness.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A service to play the story in. Each method throws on an error response. */
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
  /** Sends with the customer's key. */
  send(method: Method, url: string, payload?: object): Promise<Answered>;
  /** Sends as the customer's signed-in user. */
  session(method: Method, url: string, payload?: object): Promise<Answered>;
  /** Analyses the ingested audits. */
  analyse(): Promise<void>;
  /** Makes the analysis of an audit fail permanently. */
  fail(auditId: string): Promise<void>;
  /** Stores the log's records, compares them with policies, and searches for patterns, until nothing new follows. */
  catchUp(): Promise<void>;
  /** Stores the roots of complete subtrees. */
  growTrees(): Promise<void>;
  /** Copies the current tables, as a backup does. */
  backUp(): Promise<void>;
  /** Runs the retention policies to their end. */
  retain(): Promise<void>;
  /** Erases a signal, with its receipt. */
  erase(auditId: string): Promise<void>;
  /** Saves the checkpoint that a witness keeps from now on. */
  keepCheckpoint(): Promise<void>;
  /** Builds the requested packages. */
  build(): Promise<void>;
}
