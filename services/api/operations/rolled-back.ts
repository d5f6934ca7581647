import { Refusal } from '#platform/flow/refusal.ts';
import { LedgerRolledBack } from '#records/ledger/checkpoints.ts';

/** Answers 409 if nothing can be signed because the ledger does not continue its last checkpoint. */
export const orRolledBack = <Data>(work: Promise<Data>): Promise<Data> =>
  work.catch((error: unknown) => {
    throw error instanceof LedgerRolledBack ? new Refusal('LEDGER_ROLLED_BACK', { cause: error }) : error;
  });
