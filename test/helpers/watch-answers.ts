import { EVENT_STREAM } from '#schemas/api/contract.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { answerCheckOf } from '#services/api/testing/answer-check.ts';

/** An answer that goes on until one of both sides ends it. */
export const isEventStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith(EVENT_STREAM) ?? false;

/** The whole text; of a stream of events only what comes first. */
export async function textOf(response: Response): Promise<string> {
  if (!isEventStream(response) || response.body === null) return response.text();
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return Buffer.from(value ?? []).toString();
}

/**
 * From now on every answer that this process fetches from the service is checked against its OpenAPI documents; one that
 * does not match fails the request. Returns a function that stops the checks.
 */
export function watchAnswers(baseUrl: string): () => void {
  const plain = globalThis.fetch;
  const check = answerCheckOf(ROUTES, { keyHeader: 'x-service-key' });
  globalThis.fetch = async (input, init) => {
    const response = await plain(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== new URL(baseUrl).origin) return response;
    check({
      method: init?.method ?? (input instanceof Request ? input.method : 'GET'),
      url: url.pathname + url.search,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      // A stream of events does not end.
      text: isEventStream(response) ? '' : await response.clone().text(),
    });
    return response;
  };
  return () => {
    globalThis.fetch = plain;
  };
}
