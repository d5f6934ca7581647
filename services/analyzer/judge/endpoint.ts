import type { Logger } from '#platform/telemetry/logger.ts';
import { createBreaker } from './breaker.ts';
import { createBudget } from './budget.ts';
import { CallFailure, type ChatClient, concernsEndpoint } from './client.ts';
import { type JudgeMetrics, JudgeUnavailable } from './port.ts';
import { buildPrompt, type Prompt } from './prompt.ts';

export interface EndpointOptions {
  readonly client: ChatClient;
  readonly timeoutMs: number;
  readonly callsPerMinute: number;
  readonly maxCharacters: number;
  readonly randomBytes: (size: number) => Buffer;
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly metrics: Pick<JudgeMetrics, 'call'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Consecutive failed probes after which calls stop for a while. */
const THRESHOLD = 2;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** A probe is a short task for a model, so it has less time. */
const PROBE_TIMEOUT_MS = 5_000;
const NO_QUESTIONS = { questions: [], redactedTexts: [] };

/** A chat endpoint: whether it can be used, how many calls are left, and what a failed call says about it. */
export class JudgeEndpoint {
  readonly #options: EndpointOptions;
  readonly #budget: ReturnType<typeof createBudget>;
  readonly #breaker: ReturnType<typeof createBreaker>;
  #probing: Promise<boolean> | null = null;
  #lastFault = 'OPEN';

  constructor(options: EndpointOptions) {
    const { clock, logger } = options;
    this.#options = options;
    this.#budget = createBudget(options.callsPerMinute, clock);
    this.#breaker = createBreaker({
      threshold: THRESHOLD,
      firstPauseMs: FIRST_PAUSE_MS,
      maxPauseMs: MAX_PAUSE_MS,
      clock,
      onOpen: () => logger.warn({}, 'judge unavailable; calls paused'),
      onClose: () => logger.info({}, 'judge available again'),
    });
  }

  /** Whether another call fits into this minute; if so, it is counted. */
  mayCall(): boolean {
    return this.#budget.take();
  }

  /** No failure is known. */
  isTrusted(): boolean {
    return this.#breaker.state() === 'CLOSED';
  }

  async isUsable(): Promise<boolean> {
    const state = this.#breaker.state();
    return state === 'CLOSED' || (state === 'HALF_OPEN' && (await this.#probe()));
  }

  /** A call about a text. Rejects with `CallFailure`. */
  async ask(prompt: Prompt, limitMs: number, signal: AbortSignal): Promise<string> {
    const body = await this.#call('audit', prompt, limitMs, signal);
    this.#breaker.succeeded();
    return body;
  }

  /** Why there is no verdict on a text; throws when the text is not the reason. */
  async afterFailure(failure: CallFailure): Promise<'REFUSED' | 'UNREADABLE' | 'FAILED'> {
    if (!concernsEndpoint(failure.fault)) return failure.fault === 'REJECTED' ? 'REFUSED' : 'UNREADABLE';
    if (failure.fault === 'RATE_LIMITED') {
      this.#breaker.pause(failure.retryAfterMs ?? FIRST_PAUSE_MS);
      throw this.unavailable(true);
    }
    if (!(await this.#probe())) throw this.unavailable(false);
    return 'FAILED';
  }

  unavailable(isLimit: boolean): JudgeUnavailable {
    return new JudgeUnavailable(
      `judge unavailable (${this.#lastFault}); check that it is running, and check JUDGE_URL, JUDGE_MODEL and JUDGE_API_KEY`,
      isLimit,
    );
  }

  /** Makes one call, and times and counts it. */
  async #call(
    purpose: 'audit' | 'probe',
    prompt: Prompt,
    limitMs: number,
    signal?: AbortSignal,
  ): Promise<string> {
    const { client, clock, metrics } = this.#options;
    const startedAt = clock();
    try {
      const body = await client.complete(prompt.messages, limitMs, signal);
      metrics.call(purpose, 'ok', clock() - startedAt);
      return body;
    } catch (error) {
      const fault = error instanceof CallFailure ? error.fault : null;
      if (fault !== null && concernsEndpoint(fault)) this.#lastFault = fault;
      metrics.call(purpose, fault?.toLowerCase() ?? 'aborted', clock() - startedAt);
      throw error;
    }
  }

  /** Whether the endpoint answers a call without customer text. Concurrent callers share one probe. */
  #probe(): Promise<boolean> {
    this.#probing ??= this.#probeNow().finally(() => {
      this.#probing = null;
    });
    return this.#probing;
  }

  async #probeNow(): Promise<boolean> {
    const limitMs = Math.min(this.#options.timeoutMs, PROBE_TIMEOUT_MS);
    this.#budget.note();
    try {
      await this.#call('probe', buildPrompt(NO_QUESTIONS, this.#options), limitMs);
      this.#breaker.succeeded();
      return true;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.retryAfterMs !== null) this.#breaker.pause(error.retryAfterMs);
      this.#breaker.failed();
      return false;
    }
  }
}
