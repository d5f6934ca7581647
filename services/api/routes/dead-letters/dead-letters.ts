import * as contracts from '../../../../schemas/api/dead-letters.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { listDeadLetters } from '../../use-cases/dead-letters.ts';
import { type ReplayParts, replayMatching, replayOne } from '../../use-cases/replay.ts';

/** A replay of one has no body: its path says all. */
const NO_BODY = '';

export function deadLetterRoutes(add: AddRoute, parts: ReplayParts): void {
  add(contracts.listDeadLetters, async ({ caller, query }) => ({
    body: await listDeadLetters(parts, caller.customerId, query),
  }));
  add(contracts.replayDeadLetter, ({ caller, params, sent }) =>
    replayOne(parts, caller.customerId, params.id, sent.idempotency(NO_BODY)),
  );
  add(contracts.replayDeadLetters, (call) =>
    replayMatching(parts, call.caller, call.body, call.sent.idempotency(), call.gone),
  );
}
