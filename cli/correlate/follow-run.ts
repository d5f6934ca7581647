import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { detectCorrelations, getCorrelation } from '#schemas/endpoints.ts';
import { type Answer, type Client, RequestFailed } from '../command/client.ts';

/** Time between two looks at a run: it grows, for most runs end soon, up to how often a run is noted. */
const FIRST_LOOK_MS = 500;
const LOOK_GROWTH = 1.5;
const LONGEST_LOOK_MS = 5_000;
/** How long a busy service is asked again. */
const PATIENCE_MS = 300_000;
const DEFAULT_RETRY_SECONDS = 1;

export interface FollowDependencies {
  /** With the customer's key. */
  readonly client: Client;
  readonly wait: (ms: number) => Promise<unknown>;
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number;
  /** Told of the run as often as it is seen. */
  readonly onRun: (run: ShownCorrelationRun) => void;
}

/** What is looked for: the body of the request. What is left out is as the service has it by default. */
export interface AskedRun {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly sandboxSlug?: string;
  readonly windowMinutes?: number;
  readonly minSignals?: number;
  readonly dimensions?: readonly string[];
}

/**
 * Begins a run over history; a repeat under the same key, because the service was busy, begins no second one. Rejects
 * with `RequestFailed` when the service refuses it, does not answer, or stays busy for five minutes.
 */
export const beginRun = (
  dependencies: FollowDependencies,
  asked: AskedRun,
  idempotencyKey: string,
): Promise<ShownCorrelationRun> =>
  seen(dependencies, isBusy, () =>
    dependencies.client.call(detectCorrelations, {
      body: asked,
      headers: { 'idempotency-key': idempotencyKey },
    }),
  );

/** A run as it is now. */
export const lookAtRun = (dependencies: FollowDependencies, id: string): Promise<ShownCorrelationRun> =>
  seen(dependencies, isBusy, () => dependencies.client.call(getCorrelation, { params: { id } }));

/** Looks at a run again and again until it has ended: a service that is away for a while does not end it. */
export async function followRun(
  dependencies: FollowDependencies,
  begun: ShownCorrelationRun,
): Promise<ShownCorrelationRun> {
  let run = begun;
  for (let waitMs = FIRST_LOOK_MS; run.status === 'RUNNING'; waitMs *= LOOK_GROWTH) {
    await dependencies.wait(Math.min(waitMs, LONGEST_LOOK_MS));
    run = await seen(dependencies, isBusyOrAway, () =>
      dependencies.client.call(getCorrelation, { params: { id: begun.id } }),
    );
  }
  return run;
}

const isBusy = ({ statusCode, code }: RequestFailed): boolean =>
  statusCode === 429 || statusCode === 503 || code === 'IDEMPOTENCY_IN_FLIGHT';
const isBusyOrAway = (failed: RequestFailed): boolean =>
  failed.statusCode === null || failed.statusCode === 502 || failed.statusCode === 504 || isBusy(failed);

async function seen(
  { wait, now, onRun }: FollowDependencies,
  isPassing: (failed: RequestFailed) => boolean,
  call: () => Promise<Answer>,
): Promise<ShownCorrelationRun> {
  const deadline = now() + PATIENCE_MS;
  for (;;) {
    const answer = await call().catch((error: unknown) => {
      if (error instanceof RequestFailed && isPassing(error)) return error;
      throw error;
    });
    if (!(answer instanceof RequestFailed)) {
      const run = answer.body.data as unknown as ShownCorrelationRun;
      onRun(run);
      return run;
    }
    const waitMs = 1_000 * (answer.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS);
    // An answer that asks for more patience than there is will not be another one after half of it.
    if (!(now() + waitMs <= deadline)) throw answer;
    await wait(waitMs);
  }
}
