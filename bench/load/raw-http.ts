import net from 'node:net';

/** One whole HTTP/1.1 request as bytes, head and body. */
export type Shot = Buffer;

/** `body` returns the answer's text; only valid within the callback. */
export interface RawAnswer {
  readonly status: number;
  body(): string;
}

/** Called once: with the answer, or with the name of the error. */
type OnEnd = (answer: RawAnswer | string) => void;

export interface Connections {
  /** Sends on a free connection, or on the next one that becomes free. */
  send(shot: Shot, onEnd: OnEnd): void;
  close(): void;
}

const READ_BYTES = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

/** POST of a JSON body, keep-alive; `body` is copied. */
export function postRequest(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Shot {
  const lines = Object.entries({
    host: new URL(url).host,
    'content-type': 'application/json',
    ...headers,
    'content-length': String(body.length),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

/**
 * Keep-alive connections on bare sockets, one request each at a time. A load generator that shares its machine with the
 * service must use very little CPU, so it only parses status and content-length of an answer.
 */
export function openConnections(url: string, max: number): Connections {
  const { hostname, port } = new URL(url);
  const free: Connection[] = [];
  const all = new Set<Connection>();
  const waiting: { readonly shot: Shot; readonly onEnd: OnEnd }[] = [];
  const onFree = (connection: Connection): void => {
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    else connection.send(next.shot, next.onEnd);
  };
  const onGone = (connection: Connection): void => {
    all.delete(connection);
    const at = free.indexOf(connection);
    if (at >= 0) free.splice(at, 1);
    const next = waiting.shift();
    if (next !== undefined) open().send(next.shot, next.onEnd);
  };
  const open = (): Connection => {
    const connection = openConnection(hostname, Number(port), onFree, onGone);
    all.add(connection);
    return connection;
  };
  return {
    send: (shot, onEnd) => {
      const connection = free.pop() ?? (all.size < max ? open() : undefined);
      if (connection === undefined) waiting.push({ shot, onEnd });
      else connection.send(shot, onEnd);
    },
    close: () => {
      for (const connection of all) connection.destroy();
    },
  };
}

interface Connection {
  send(shot: Shot, onEnd: OnEnd): void;
  destroy(): void;
}

function openConnection(
  host: string,
  port: number,
  onFree: (connection: Connection) => void,
  onGone: (connection: Connection) => void,
): Connection {
  let under: OnEnd | null = null;
  let pending: Buffer | null = null;
  const end = (answer: RawAnswer | string): void => {
    const onEnd = under;
    under = null;
    pending = null;
    onEnd?.(answer);
  };
  const take = (bytes: Buffer): void => {
    const all = pending === null ? bytes : Buffer.concat([pending, bytes]);
    const answer = readAnswer(all);
    if (answer === 'broken') socket.destroy(Object.assign(new Error(answer), { code: 'UNREADABLE' }));
    else if (answer !== null) {
      end(answer);
      onFree(connection);
      // The read buffer is reused for the next chunk, so the kept bytes are copied.
    } else pending = pending === null ? Buffer.from(bytes) : all;
  };
  const socket = net.connect({
    host,
    port,
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(READ_BYTES),
      callback: (count, buffer) => {
        take((buffer as Buffer).subarray(0, count));
        return true;
      },
    },
  });
  let fault = 'CLOSED';
  socket.on('error', (error: NodeJS.ErrnoException) => {
    fault = error.code ?? error.message;
  });
  socket.on('close', () => {
    onGone(connection);
    end(fault);
  });
  const connection: Connection = {
    send: (shot, onEnd) => {
      under = onEnd;
      socket.write(shot);
    },
    destroy: () => socket.destroy(),
  };
  return connection;
}

/** The answer at the start of `bytes`, null while it is incomplete. */
function readAnswer(bytes: Buffer): RawAnswer | 'broken' | null {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) return 'broken';
  const [from, to] = [headEnd + HEAD_END.length, headEnd + HEAD_END.length + Number(length)];
  if (bytes.length < to) return null;
  return { status: Number(head.slice(9, 12)), body: () => bytes.toString('utf8', from, to) };
}
