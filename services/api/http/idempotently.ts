import { Refusal } from '#platform/flow/refusal.ts';
import type { AdmittedAudits } from '#platform/state/admitted-audits.ts';
import { type Begun, type IdempotencyKey, type State, StateUnavailable } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { ApiDependencies } from '../operations/dependencies.ts';
import { newSeed, type Seed } from '../operations/ids.ts';
import type { Once } from '../operations/once.ts';
import type { SentBody } from './bodies/sent-body.ts';
import { statusOf } from './errors/refusals.ts';
import type { Answer } from './route.ts';

/** Answer to a request whose Idempotency-Key was seen before. */
export function repeatedAnswer(begun: Exclude<Begun<unknown>, { kind: 'begun' }>): Answer {
  if (begun.kind === 'inFlight') {
    throw new Refusal('IDEMPOTENCY_IN_FLIGHT', { retryAfterSeconds: 1 });
  }
  if (begun.kind === 'mismatch') throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  if (begun.kind === 'full') {
    const retryAfterSeconds = Math.ceil(begun.retryAfterMs / 1_000);
    throw new Refusal('IDEMPOTENCY_BUDGET_REACHED', { retryAfterSeconds });
  }
  const { statusCode, body } = begun.answer;
  return { statusCode, text: body, headers: { 'idempotent-replayed': 'true' } };
}

/**
 * Stores an answer under its key; the first one stored is everyone's. The work is already done: a state that fails now
 * must not turn it into an error, because a repeat would only find the same again. `admitted` is counted together with
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
  /** The answer to a repeat, when it may not see all that the first answer held. */
  readonly remembered?: unknown;
  /** Default: the contract's; 201 for a remembered answer. */
  readonly statusCode?: number;
}

/**
 * What an operation is given to run once: a repeat under the request's Idempotency-Key is answered as its first attempt
 * was. `scope`: whose key it is; `digested`: see `SentBody`.
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
  const begun = await dependencies.state.idempotency.begin(scope, key, seed);
  if (begun.kind !== 'begun') return repeatedAnswer(begun);
  const made = await run(begun.seed, begun.takenOver).catch(async (error: unknown) => {
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
 * Only a refusal has certainly changed nothing. After anything else the seed must stay for the next attempt, which may
 * begin at once. A state that fails here too does not change the answer: the lease expires by itself.
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
