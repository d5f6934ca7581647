import type { LedgerPasses } from '#services/api/evidence/chain/pass.ts';
import { scrubSlice } from '#services/api/evidence/chain/scrub-ledgers.ts';
import { type Check, SOMETHING } from './check.ts';

const DAY_MS = 86_400_000;
/** To a customer, through its entries, and behind them: of the customer, and of one that a change made up. */
const SLICES = 6;

/** A round over the ledgers, as in the background: what it finds is an error in the log. */
export const scrub: Check = async ({ world }) => {
  const { warehouse, state, now } = world.harness.dependencies;
  const found: number[] = [];
  let isTold = false;
  let at = now();
  const logger = {
    warn: () => undefined,
    error: () => {
      isTold = true;
    },
  };
  const noted: LedgerPasses = {
    run: async (pass, watch) => {
      const verification = await world.passes.run(pass, watch);
      found.push(...verification.errors.map(({ index }) => index));
      return verification;
    },
  };
  const dependencies = {
    warehouse,
    state,
    passes: noted,
    logger: logger as never,
    metrics: { ledgerFault: () => undefined },
    now: () => at,
    clock: () => performance.now(),
  };
  const stopping = new AbortController().signal;
  try {
    for (let slice = 0; slice < SLICES; slice += 1) {
      at += DAY_MS;
      await scrubSlice(dependencies, stopping);
    }
  } catch {
    return SOMETHING;
  }
  return isTold ? { entries: found } : null;
};
