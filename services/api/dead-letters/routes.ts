import * as contracts from '#schemas/api/dead-letters.ts';
import { envelope } from '../http/envelopes.ts';
import { onceOf } from '../http/idempotently.ts';
import type { AddRoute } from '../http/route.ts';
import { listDeadLetters, listReasons } from './dead-letters.ts';
import { type ReplayDependencies, replayMatching, replayOne } from './replay.ts';

/** A single replay has no body: its path is enough. */
const NO_BODY = '';

const accepted = (outcome: contracts.ReplayOutcome) => ({ statusCode: 202, shown: envelope(outcome) });

export function deadLetterRoutes(add: AddRoute, dependencies: ReplayDependencies): void {
  const once = onceOf(dependencies);
  add(contracts.listDeadLetters, async ({ caller, query }) => ({
    body: await listDeadLetters(dependencies, caller.customerId, query),
  }));
  add(contracts.listDeadLetterReasons, async ({ caller, query }) => ({
    body: await listReasons(dependencies, caller.customerId, query),
  }));
  add(contracts.replayDeadLetter, ({ caller, params, sent }) =>
    replayOne(dependencies, caller.customerId, params.id, once(caller.customerId, sent, accepted, NO_BODY)),
  );
  add(contracts.replayDeadLetters, ({ caller, body, sent, gone }) =>
    replayMatching(dependencies, caller, body, gone, once(caller.customerId, sent, accepted)),
  );
}
