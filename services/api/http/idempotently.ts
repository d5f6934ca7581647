import { Refusal } from '#platform/flow/refusal.ts';
import type { AdmittedAudits } from '#platform/state/admitted-audits.ts';
import {
  type AttemptStart,
  type IdempotencyKey,
  type State,
  StateUnavailable,
} from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { ApiDependencies } from '../operations/dependencies.ts';
import { newSeed, type Seed } from '../operations/ids.ts';
import type { Once } from '../operations/once.ts';
import type { SentBody } from './bodies/sent-body.ts';
import { statusOf } from './errors/refusals.ts';
import type { Answer } from './route.ts';

/** Answer to a request with an Idempotency-Key that was seen before. */
export function repeatedAnswer(attempt: Exclude<AttemptStart<unknown>, { kind: 'begun' }>): Answer {
  if (attempt.kind === 'inFlight') {
    throw new Refusal('IDEMPOTENCY_IN_FLIGHT', { retryAfterSeconds: 1 });
  }
  if (attempt.kind === 'mismatch') throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  if (attempt.kind === 'full') {
    const retryAfterSeconds = Math.ceil(attempt.retryAfterMs / 1_000);
    throw new Refusal('IDEMPOTENCY_BUDGET_REACHED', { retryAfterSeconds });
  }
  const { statusCode, body } = attempt.answer;
  return { statusCode, text: body, headers: { 'idempotent-replayed': 'true' } };
}

/**
 * Stores an answer under its key; all repeats get the first one stored. The work is already done, so a failure of the
 * state must not turn it into an error: a repeat would only find the same again. `admitted` is counted together with
 * the stored answer.
 */
export async function settle(
  dependencies: { readonly state: State; readonly logger: Logger },
  scope: string,
  key: IdempotencyKey,
  answer: { readonly statusCode: number; readonly body: string },
  admitted?: AdmittedAudits,
): Promise<{ readonly statusCode: number; readonly body: string }> {
  try {
    return await dependencies.state.idempotency.settle(scope, key, answer, admitted);
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error;
    dependencies.logger.warn({ err: error }, 'failed to save response for idempotency key');
    return answer;
  }
}

type OnceDependencies = Pick<ApiDependencies, 'state' | 'logger' | 'now' | 'newId'>;

export interface Done {
  readonly shown: unknown;
  /** The answer to a repeat, if it may not see everything in the first answer. */
  readonly remembered?: unknown;
  /** Default: the contract's; 201 for a remembered answer. */
  readonly statusCode?: number;
}

/**
 * Lets an operation run once: a repeat under the request's Idempotency-Key gets the answer of the first attempt.
 * `scope`: the owner of the key; `digested`: see `SentBody`.
 */
export const onceOf =
  (dependencies: OnceDependencies) =>
  <Made>(
    scope: string,
    sent: Pick<SentBody, 'idempotency'>,
    done: (made: Made) => Done,
    digested?: string,
  ): Once<Made, Answer> => {
    const key = sent.idempotency(digested);
    return async (run) => {
      const seed = newSeed(dependencies);
      if (key !== null) return underKey(dependencies, { scope, key, seed }, run, done);
      const { shown, statusCode } = done(await run(seed, false));
      return statusCode === undefined ? { body: shown } : { statusCode, body: shown };
    };
  };

interface Attempt {
  readonly scope: string;
  readonly key: IdempotencyKey;
  readonly seed: Seed;
}

async function underKey<Made>(
  dependencies: OnceDependencies,
  { scope, key, seed }: Attempt,
  run: Parameters<Once<Made, Answer>>[0],
  doneOf: (made: Made) => Done,
): Promise<Answer> {
  const attempt = await dependencies.state.idempotency.begin(scope, key, seed);
  if (attempt.kind !== 'begun') return repeatedAnswer(attempt);
  const made = await run(attempt.seed, attempt.takenOver).catch(async (error: unknown) => {
    await endAttempt(dependencies.state, scope, key, error);
    throw error;
  });
  const done = doneOf(made);
  const body = JSON.stringify(done.remembered ?? done.shown);
  const settled = await settle(dependencies, scope, key, { statusCode: done.statusCode ?? 201, body });
  if (done.remembered !== undefined) return { statusCode: settled.statusCode, body: done.shown };
  return { statusCode: settled.statusCode, text: settled.body };
}

/**
 * Only a refusal has certainly changed nothing. After any other error the seed must stay for the next attempt, which
 * may start at once. A failure of the state here does not change the answer either: the lease expires by itself.
 */
async function endAttempt(
  { idempotency }: State,
  scope: string,
  key: IdempotencyKey,
  error: unknown,
): Promise<void> {
  const refused = error instanceof Refusal && statusOf(error) < 500;
  await (refused ? idempotency.forget(scope, key) : idempotency.release(scope, key)).catch(() => undefined);
}
