import { Semaphore } from '#platform/flow/semaphore.ts';
import { readAnswer } from './answer.ts';
import { CallFailure } from './client.ts';
import { type EndpointOptions, JudgeEndpoint } from './endpoint.ts';
import type { AskLimits, Judge, JudgeRequest, Verdict } from './port.ts';
import { buildPrompt } from './prompt.ts';

export interface JudgeOptions extends EndpointOptions {
  readonly concurrency: number;
}

/** A call that failed at once may be retried; all calls of an audit share its time limit. */
const MAX_CALLS = 2;

/**
 * A judge that uses a chat endpoint. A failed call is followed by a probe, which contains only the check: if it is
 * answered, the endpoint works, and the audit continues without a verdict, so that no text can block the others.
 */
export function createJudge(options: JudgeOptions): Judge {
  const { timeoutMs, concurrency, clock } = options;
  const endpoint = new JudgeEndpoint(options);
  const semaphore = new Semaphore({ permits: concurrency, clock });

  const askNow = async (request: JudgeRequest, signal: AbortSignal): Promise<Verdict> => {
    const endAt = clock() + timeoutMs;
    for (let calls = 1; ; calls++) {
      if (!endpoint.mayCall()) return { kind: 'NOT_JUDGED', reason: 'OVER_BUDGET' };
      const prompt = buildPrompt(request, options);
      try {
        const body = await endpoint.ask(prompt, endAt - clock(), signal);
        return readAnswer(body, prompt, request.redactedTexts);
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        const reason = await endpoint.afterFailure(error);
        const isWorthAnother = reason === 'FAILED' && error.fault !== 'TIMEOUT' && clock() < endAt;
        if (!isWorthAnother || calls === MAX_CALLS) return { kind: 'NOT_JUDGED', reason };
      }
    }
  };

  return {
    concurrency,
    ask: async (request, { signal, startBefore }: AskLimits) => {
      if (!(await endpoint.isUsable())) throw endpoint.unavailable(false);
      signal.throwIfAborted();
      const release = await semaphore.acquire({ signal, until: startBefore });
      if (release === null) return { kind: 'NOT_JUDGED', reason: 'TOO_SLOW' };
      try {
        // The endpoint may have failed while this call waited in the queue.
        if (!endpoint.isTrusted()) throw endpoint.unavailable(false);
        return await askNow(request, signal);
      } finally {
        release();
      }
    },
  };
}
