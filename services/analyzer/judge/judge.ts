import type { Logger } from '../../../platform/runtime/logger.ts';
import { readAnswer } from './answer.ts';
import { createBreaker } from './breaker.ts';
import { createBudget } from './budget.ts';
import { CallFailure, type ChatClient, concernsEndpoint } from './client.ts';
import {
  type AskLimits,
  type Judge,
  type JudgeMetrics,
  type JudgeRequest,
  JudgeUnavailable,
  type Verdict,
} from './port.ts';
import { buildPrompt, type Prompt } from './prompt.ts';
import { createTurns } from './turns.ts';

export interface JudgeOptions {
  readonly client: ChatClient;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly callsPerMinute: number;
  readonly maxCharacters: number;
  readonly randomBytes: (size: number) => Buffer;
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly metrics: Pick<JudgeMetrics, 'call'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Probes in a row that must fail before no call is tried for a while. */
const THRESHOLD = 2;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** A probe is short for a model, so that it has less time. */
const PROBE_TIMEOUT_MS = 5_000;
/** A call that failed at once may be tried again; all calls of an audit share its time. */
const MAX_CALLS = 2;
const NOTHING_ASKED = { questions: [], redactedTexts: [] };

/**
 * A judge behind a chat endpoint. A call that fails is followed by a probe, which carries nothing but the check: if
 * that is answered, the endpoint works, and the text goes on without a verdict: no text can hold up the others.
 */
export function createJudge(options: JudgeOptions): Judge {
  const { client, timeoutMs, concurrency, clock, metrics, logger } = options;
  const budget = createBudget(options.callsPerMinute, clock);
  const turns = createTurns(concurrency, clock);
  const breaker = createBreaker({
    threshold: THRESHOLD,
    firstPauseMs: FIRST_PAUSE_MS,
    maxPauseMs: MAX_PAUSE_MS,
    clock,
    onOpen: () => logger.warn({}, 'the judge cannot be used; it is left alone for a while'),
    onClose: () => logger.info({}, 'the judge answers again'),
  });
  let probing: Promise<boolean> | null = null;
  let lastFault = 'OPEN';

  /** One call, timed and counted. */
  const call = async (
    purpose: 'audit' | 'probe',
    prompt: Prompt,
    limitMs: number,
    signal?: AbortSignal,
  ): Promise<string> => {
    const begun = clock();
    try {
      const body = await client.complete(prompt.messages, limitMs, signal);
      metrics.call(purpose, 'ok', clock() - begun);
      return body;
    } catch (error) {
      const fault = error instanceof CallFailure ? error.fault : null;
      if (fault !== null && concernsEndpoint(fault)) lastFault = fault;
      metrics.call(purpose, fault?.toLowerCase() ?? 'broken_off', clock() - begun);
      throw error;
    }
  };

  /** Whether the endpoint answers a call without anybody's text. Whoever asks meanwhile waits for the same answer. */
  const probe = (): Promise<boolean> => {
    probing ??= (async () => {
      budget.note();
      try {
        await call('probe', buildPrompt(NOTHING_ASKED, options), Math.min(timeoutMs, PROBE_TIMEOUT_MS));
        breaker.succeeded();
        return true;
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        if (error.retryAfterMs !== null) breaker.hold(error.retryAfterMs);
        breaker.failed();
        return false;
      } finally {
        probing = null;
      }
    })();
    return probing;
  };

  const isUsable = async (): Promise<boolean> => {
    const state = breaker.state();
    return state === 'CLOSED' || (state === 'HALF_OPEN' && (await probe()));
  };

  const unavailable = (isLimit: boolean): JudgeUnavailable =>
    new JudgeUnavailable(
      `the judge gives no answer (${lastFault}); check that it runs, JUDGE_URL, JUDGE_MODEL and JUDGE_API_KEY`,
      isLimit,
    );

  /** Why there is no verdict on a text; throws when the reason is not the text. */
  const afterFailure = async (failure: CallFailure): Promise<'REFUSED' | 'UNREADABLE' | 'FAILED'> => {
    if (!concernsEndpoint(failure.fault)) return failure.fault === 'REJECTED' ? 'REFUSED' : 'UNREADABLE';
    if (failure.fault === 'RATE_LIMITED') {
      breaker.hold(failure.retryAfterMs ?? FIRST_PAUSE_MS);
      throw unavailable(true);
    }
    if (!(await probe())) throw unavailable(false);
    return 'FAILED';
  };

  const askNow = async (request: JudgeRequest, signal: AbortSignal): Promise<Verdict> => {
    const endAt = clock() + timeoutMs;
    for (let calls = 1; ; calls++) {
      if (!budget.take()) return { kind: 'NOT_JUDGED', reason: 'OVER_BUDGET' };
      const prompt = buildPrompt(request, options);
      try {
        const body = await call('audit', prompt, endAt - clock(), signal);
        breaker.succeeded();
        return readAnswer(body, prompt, request.redactedTexts);
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        const reason = await afterFailure(error);
        const isWorthAnother = reason === 'FAILED' && error.fault !== 'TIMEOUT' && clock() < endAt;
        if (!isWorthAnother || calls === MAX_CALLS) return { kind: 'NOT_JUDGED', reason };
      }
    }
  };

  return {
    concurrency,
    ask: async (request, { signal, startBefore }: AskLimits) => {
      if (!(await isUsable())) throw unavailable(false);
      const endTurn = await turns.take(startBefore, signal);
      if (endTurn === null) return { kind: 'NOT_JUDGED', reason: 'TOO_SLOW' };
      try {
        // Whoever has waited in line may find that it does not work any more.
        if (breaker.state() !== 'CLOSED') throw unavailable(false);
        return await askNow(request, signal);
      } finally {
        endTurn();
      }
    },
  };
}
