import type { LedgerPasses } from '#services/api/evidence/chain/pass.ts';
import { scrubSlice } from '#services/api/evidence/chain/scrub-ledgers.ts';
import { type Check, SOMETHING } from './check.ts';

const DAY_MS = 86_400_000;
/** Up to a customer, through its entries, and past them: for the customer, and for one that a change invented. */
const SLICES = 6;

/** A background round over the ledgers, which logs findings as errors. */
export const scrub: Check = async ({ world }) => {
  const { warehouse, state, now } = world.harness.dependencies;
  const found: number[] = [];
  let isReported = false;
  let at = now();
  const logger = {
    warn: () => undefined,
    error: () => {
      isReported = true;
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
  return isReported ? { entries: found } : null;
};
