import * as contracts from '#schemas/api/dead-letters.ts';
import type { AddRoute } from '../http/route.ts';
import { listDeadLetters, listReasons } from './dead-letters.ts';
import { type ReplayDependencies, replayMatching, replayOne } from './replay.ts';

/** A replay of one has no body: its path says all. */
const NO_BODY = '';

export function deadLetterRoutes(add: AddRoute, dependencies: ReplayDependencies): void {
  add(contracts.listDeadLetters, async ({ caller, query }) => ({
    body: await listDeadLetters(dependencies, caller.customerId, query),
  }));
  add(contracts.listDeadLetterReasons, async ({ caller, query }) => ({
    body: await listReasons(dependencies, caller.customerId, query),
  }));
  add(contracts.replayDeadLetter, ({ caller, params, sent }) =>
    replayOne(dependencies, caller.customerId, params.id, sent.idempotency(NO_BODY)),
  );
  add(contracts.replayDeadLetters, (call) =>
    replayMatching(dependencies, call.caller, call.body, call.sent.idempotency(), call.gone),
  );
}
