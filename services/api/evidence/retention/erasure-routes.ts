import { eraseSignal, getErasure } from '#schemas/api/evidence/retention/erasures.ts';
import type { AddRoute } from '../../http/route.ts';
import { type CostlyWork, readingInTurns } from '../../operations/limits/costly-work.ts';
import { createCustomerPermits } from '../../operations/limits/customer-permits.ts';
import { orRolledBack } from '../../operations/rolled-back.ts';
import * as erasing from './erase-signal.ts';
import { readErasure } from './read-erasure.ts';

/** Answers that may wait for an erasure to be folded. */
const HELD = { total: 200, perCustomer: 20 };
const WAIT_MS = 5_000;

export function erasureRoutes(
  add: AddRoute,
  dependencies: erasing.ErasureDependencies & { readonly costly: Pick<CostlyWork, 'read'> },
): void {
  const held = createCustomerPermits(HELD);
  add(eraseSignal, async (call) => {
    const { caller, params, query, gone } = call;
    const release = held.take(caller.customerId);
    const wanted = {
      signalId: params.id,
      reason: query.reason ?? ('CUSTOMER_REQUEST' as const),
      // Without a permit the answer reports the erasure as in progress.
      waitMs: release === null ? 0 : WAIT_MS,
      gone,
    };
    const inTurns = readingInTurns(dependencies, caller, call);
    const { isComplete, data } = await erasing
      .eraseSignal(inTurns, caller, wanted)
      .finally(release ?? undefined);
    return { statusCode: isComplete ? 200 : 202, body: { success: true as const, data } };
  });
  add(getErasure, async ({ caller, params }) => ({
    body: {
      success: true as const,
      data: await orRolledBack(readErasure(dependencies, caller.customerId, params.id)),
    },
  }));
}
