import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { detectCorrelations, getCorrelation } from '#schemas/endpoints.ts';
import { type Answer, type Client, RequestFailed } from '../command/client.ts';

/**
 * Time between two polls of a run. It grows, because most runs end soon, up to the interval at which runs are noted.
 */
const FIRST_POLL_MS = 500;
const POLL_GROWTH = 1.5;
const MAX_POLL_MS = 5_000;
/** How long requests to a busy service are retried. */
const PATIENCE_MS = 300_000;
const DEFAULT_RETRY_SECONDS = 1;

export interface FollowDependencies {
  /** With the customer's key. */
  readonly client: Client;
  readonly wait: (ms: number) => Promise<unknown>;
  /** Monotonic, ms. */
  readonly now: () => number;
  /** Called with the run after each poll. */
  readonly onRun: (run: ShownCorrelationRun) => void;
}

/** The request body. The service's defaults apply to absent fields. */
export interface RunRequest {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly sandboxSlug?: string;
  readonly windowMinutes?: number;
  readonly minSignals?: number;
  readonly dimensions?: readonly string[];
}

/**
 * Starts a run over history; a retry under the same key, because the service was busy, starts no second one. Rejects
 * with `RequestFailed` when the service refuses it, does not answer, or stays busy for five minutes.
 */
export const startRun = (
  dependencies: FollowDependencies,
  request: RunRequest,
  idempotencyKey: string,
): Promise<ShownCorrelationRun> =>
  seen(dependencies, isBusy, () =>
    dependencies.client.call(detectCorrelations, {
      body: request,
      headers: { 'idempotency-key': idempotencyKey },
    }),
  );

export const readRun = (dependencies: FollowDependencies, id: string): Promise<ShownCorrelationRun> =>
  seen(dependencies, isBusy, () => dependencies.client.call(getCorrelation, { params: { id } }));

/** Polls a run until it has ended, even if the service is down for a while. */
export async function followRun(
  dependencies: FollowDependencies,
  started: ShownCorrelationRun,
): Promise<ShownCorrelationRun> {
  let run = started;
  for (let waitMs = FIRST_POLL_MS; run.status === 'RUNNING'; waitMs *= POLL_GROWTH) {
    await dependencies.wait(Math.min(waitMs, MAX_POLL_MS));
    run = await seen(dependencies, isBusyOrAway, () =>
      dependencies.client.call(getCorrelation, { params: { id: started.id } }),
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
    // The service asks for more time than is left, so waiting for less is pointless.
    if (!(now() + waitMs <= deadline)) throw answer;
    await wait(waitMs);
  }
}
