import http from 'node:http';
import { socketAgent } from '../client/socket-agent.ts';

/** Where ClickHouse's HTTP interface answers: at the address, or on the socket in the folder. */
export interface EngineAccess {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly socketFolder?: string;
}

export interface EngineRequest {
  /** Path with query string (default `/`). */
  readonly path?: string;
  readonly body?: string;
  /** Replace the correct credentials. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface EngineAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** One raw request to ClickHouse's HTTP interface, bypassing the client. */
export function askEngine(access: EngineAccess, request: EngineRequest = {}): Promise<EngineAnswer> {
  const { url, username, password, socketFolder } = access;
  const agent = socketFolder === undefined ? new http.Agent() : socketAgent(socketFolder, 1);
  const headers = request.headers ?? {
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  };
  return new Promise<EngineAnswer>((resolve, reject) => {
    const sent = http.request(new URL(request.path ?? '/', url), { method: 'POST', agent, headers });
    sent.once('error', reject).once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    sent.end(request.body);
  }).finally(() => agent.destroy());
}
