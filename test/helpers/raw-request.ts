import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names, sorted. */
  readonly headerNames: readonly string[];
  readonly body: string;
}

/** Sends a request with exactly this target, not normalised by a client library, on its own connection. */
export async function rawRequest(
  url: string,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const lines = Object.entries({ host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'));
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n', 2);
  const [first = '', ...fields] = head.split('\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headerNames: fields.map((field) => field.slice(0, field.indexOf(':')).toLowerCase()).sort(),
    body,
  };
}
