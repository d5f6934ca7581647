import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';

interface RegistryAddress {
  /** Up to and without `/subjects`, with no credentials in it. */
  readonly host: string;
  readonly auth: { readonly username: string; readonly password: string } | null;
  /** PEM certificates to trust instead of the public authorities. */
  readonly ca?: string | undefined;
}

interface RegistryCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** After the host, with its parts escaped. */
  readonly path: string;
  readonly body?: object;
}

export interface RegistryAnswer {
  readonly status: number;
  readonly text: string;
}

/** A schema is a few kilobytes; whatever answers with more is not a registry. */
const MAX_ANSWER_BYTES = 4 * 2 ** 20;

async function readLimited(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/**
 * Sends one request and reads all of the answer, whatever its status; follows no redirects. Rejects with the
 * connection's error, or with the signal's reason. The runtime's `fetch` does not accept custom certificates.
 */
export function registryCalls({ host, auth, ca }: RegistryAddress) {
  const request = host.startsWith('https:') ? httpsRequest : httpRequest;
  const agent = ca === undefined ? undefined : new Agent({ ca, keepAlive: true });
  const type = 'application/vnd.schemaregistry.v1+json';
  const headers = {
    accept: `${type}, application/json`,
    'user-agent': 'cas',
    ...(auth === null
      ? {}
      : {
          authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`,
        }),
  };
  return ({ method, path, body }: RegistryCall, signal: AbortSignal): Promise<RegistryAnswer> =>
    new Promise((resolve, reject) => {
      const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
      const sent = request(`${host}${path}`, {
        method,
        agent,
        signal,
        headers:
          bytes === null ? headers : { ...headers, 'content-type': type, 'content-length': bytes.length },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        readLimited(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
      });
      sent.end(bytes ?? undefined);
    });
}
