import type { RouteContract } from '../../schemas/api/contract.ts';
import type { Caller } from './plugins/authentication.ts';
import type { AddRoute, Handler } from './plugins/route.ts';
import { createTurns, type Turns } from './turns.ts';

/** What the requests of a process that cost much take turns at. */
export interface CostlyTurns {
  readonly read: Turns;
  readonly verification: Turns;
  readonly replay: Turns;
  /** A piece of a verification: a long chain and a short one take turns at these. */
  readonly chunk: Turns;
}

/**
 * A dashboard asks for some ten tiles at once, and a client for many audits that it handed in together: they wait for
 * each other a little instead of being refused. The engine has 32 connections, of which exports may hold 16.
 */
const READS = { atOnce: 6, perCustomer: 2, waitingPerCustomer: 200, waiting: 2_000, retryAfterSeconds: 1 };
/** Each holds what is left of a piece, so a few may be under way; pieces follow one another. */
const VERIFICATIONS = {
  atOnce: 16,
  perCustomer: 1,
  waitingPerCustomer: 4,
  waiting: 64,
  retryAfterSeconds: 5,
};
/** None is refused: there is one for each verification under way at most. */
const CHUNKS = {
  atOnce: 2,
  perCustomer: 1,
  waitingPerCustomer: VERIFICATIONS.perCustomer,
  waiting: 2 * VERIFICATIONS.atOnce,
  retryAfterSeconds: VERIFICATIONS.retryAfterSeconds,
};

/** Each holds 16 records of up to 4 MiB, for up to 20 s. */
const REPLAYS = { atOnce: 2, perCustomer: 1, waitingPerCustomer: 50, waiting: 500, retryAfterSeconds: 5 };

export const createCostlyTurns = (): CostlyTurns => ({
  read: createTurns(READS),
  verification: createTurns(VERIFICATIONS),
  chunk: createTurns(CHUNKS),
  replay: createTurns(REPLAYS),
});

/** Routes whose contract says that they are costly begin when it is their customer's turn. */
export function inTurns(add: AddRoute, turns: CostlyTurns): AddRoute {
  return <const C extends RouteContract>(contract: C, handler: Handler<C>): void => {
    const { costly } = contract;
    if (costly === undefined) {
      add(contract, handler);
      return;
    }
    if (contract.auth !== 'key') throw new Error(`${contract.operationId} is costly and has no customer`);
    add(contract, (call) =>
      turns[costly].during((call.caller as Caller).customerId, call, () => handler(call)),
    );
  };
}
