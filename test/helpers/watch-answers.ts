import { EVENT_STREAM } from '#schemas/api/contract.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { answerCheckOf } from '#services/api/testing/answer-check.ts';

/** A response that continues until one side ends it. */
export const isEventStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith(EVENT_STREAM) ?? false;

/** The whole text, or the first chunk of an event stream. */
export async function textOf(response: Response): Promise<string> {
  if (!isEventStream(response) || response.body === null) return response.text();
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return Buffer.from(value ?? []).toString();
}

/**
 * From now on checks every response that this process fetches from the service against its OpenAPI documents; a
 * mismatch fails the request. Returns a function that stops the checks.
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
      // An event stream does not end.
      text: isEventStream(response) ? '' : await response.clone().text(),
    });
    return response;
  };
  return () => {
    globalThis.fetch = plain;
  };
}
