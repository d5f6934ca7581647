import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Middleware } from 'mappersmith';
import { type FailedRequest, faultOf, notRegistry, RegistryRefusal, unavailable } from './registry-faults.ts';

/** A schema is a few kilobytes; a server that responds with more is not a registry. */
const MAX_ANSWER_BYTES = 4 * 2 ** 20;

/** Expected field of each response and its type, by the library's request names. */
const FIELDS: Readonly<Record<string, readonly [string, 'string' | 'number']>> = {
  registered: ['id', 'number'],
  register: ['id', 'number'],
  find: ['schema', 'string'],
  config: ['compatibilityLevel', 'string'],
};

/**
 * Opens a connection per request, and cuts it after more than `MAX_ANSWER_BYTES`, because mappersmith reads every
 * response to its end.
 */
export function boundedAgent(host: string, ca: string | undefined): HttpAgent {
  const agent = host.startsWith('https:') ? new HttpsAgent(ca === undefined ? {} : { ca }) : new HttpAgent();
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback);
    let bytes = 0;
    socket?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) {
        socket.destroy(new Error(`the response exceeds ${MAX_ANSWER_BYTES} bytes`));
      }
    });
    // If a name has several addresses and none answers, the error has a code but no message.
    socket?.on('error', (error: NodeJS.ErrnoException) => {
      error.message ||= error.code ?? '';
    });
    return socket;
  };
  return agent;
}

/**
 * Gives each request a time limit, and accepts only a registry's responses. Requests reject with `RegistryUnavailable`
 * or `RegistryRefusal`.
 */
export const guarded =
  (host: string, timeoutMs: number): Middleware =>
  ({ resourceMethod }) => {
    const deadline = new AbortController();
    // mappersmith never settles if a connection ends in the middle of a response, so aborting alone is not enough.
    const late = new Promise<never>((_, reject) => {
      deadline.signal.addEventListener('abort', () =>
        reject(unavailable(host, `did not respond within ${timeoutMs / 1_000} s`)),
      );
    });
    return {
      request: (request) => request.enhance({ signal: deadline.signal }),
      response: async (next) => {
        const timer = setTimeout(() => deadline.abort(), timeoutMs);
        const answered = next().catch((failed: FailedRequest) => {
          throw faultOf(host, failed);
        });
        try {
          const response = await Promise.race([answered, late]);
          checkAnswer(host, resourceMethod, response.data());
          return response;
        } finally {
          clearTimeout(timer);
        }
      },
    };
  };

function checkAnswer(host: string, method: string, answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) throw notRegistry(host);
  const [field, type] = FIELDS[method] ?? [];
  const fields = answer as Readonly<Record<string, unknown>> & { readonly schemaType?: unknown };
  if (field !== undefined && typeof fields[field] !== type) throw notRegistry(host);
  // The library would compile a JSON or Protobuf schema, which other programs may have registered.
  if (method === 'find' && (fields.schemaType ?? 'AVRO') !== 'AVRO') {
    throw new RegistryRefusal(404, 'not an Avro schema');
  }
}
