import type { State } from '../port.ts';
/** Returns the state of the running test case. */
export type Subject = () => StateUnderTest;

/** One state with its data, created by an adapter's test for each case. */
export interface StateUnderTest {
  /** The open state; a new one after `reopen`. */
  readonly state: State;
  /** The adapter's clock, Unix ms. */
  now(): number;
  /** Moves the adapter's clock forward. */
  advance(ms: number): Promise<void>;
  /** Closes the state and opens it on the same data. */
  reopen(): Promise<void>;
  /** Closes the state and removes the data. */
  dispose(): Promise<void>;
}

export type StateFactory = () => Promise<StateUnderTest>;
