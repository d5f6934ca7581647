import net from 'node:net';
import { readAnswers } from './read-answers.ts';

/** Bytes sent at once: a request, several, or none. */
export type Shot = Buffer;

export interface FloodOptions {
  readonly connections: number;
  /** The next bytes for a connection; `number` counts the shots of all connections. */
  readonly next: (number: number) => Shot;
  /** Number of answers to a shot (default 1). */
  readonly answersPerShot?: number;
  /** Source addresses (default: the attack's address for all). */
  readonly localAddress?: (connection: number) => string;
}

export interface StallOptions {
  readonly connections: number;
  /** Sent on connecting. */
  readonly first: (connection: number) => Shot;
  /** Sent repeatedly, one piece at a time. */
  readonly drip?: { readonly piece: Shot; readonly everyMs: number };
}

/** All open connections of an attack. Broken connections are reopened until `close`. */
export interface Sockets {
  /** Sends on each connection, and again after each answer. */
  flood(options: FloodOptions): void;
  /** Opens connections and reads only the start of the answers. */
  stall(options: StallOptions): void;
  /** Opens no connection but uses up a core. */
  compute(): void;
}

/** A refused connection is not retried at once, which would load the attacker's own machine. */
const REOPEN_MS = 20;
/** Interval between checks whether the attack is over. */
const COMPUTE_MS = 10;
const READ_BYTES = 64 * 1024;

export interface OpenSockets extends Sockets {
  /** Status or fault -> number of times. */
  readonly seen: ReadonlyMap<string, number>;
  close(): void;
}

export function openSockets(url: string, address: string): OpenSockets {
  const { hostname, port } = new URL(url);
  const seen = new Map<string, number>();
  const open = new Set<net.Socket>();
  let isOver = false;
  const count = (what: string): void => {
    seen.set(what, (seen.get(what) ?? 0) + 1);
  };
  /** Connects, and reconnects when the connection breaks. */
  const connect = (options: Partial<net.NetConnectOpts>, use: (socket: net.Socket) => void): void => {
    if (isOver) return;
    const socket = net.connect({
      host: hostname,
      port: Number(port),
      localAddress: address,
      ...options,
    } as net.TcpNetConnectOpts);
    open.add(socket);
    socket.on('error', (error: NodeJS.ErrnoException) => count(error.code ?? error.message));
    socket.once('close', () => {
      open.delete(socket);
      count('closed');
      setTimeout(() => connect(options, use), REOPEN_MS).unref();
    });
    use(socket);
  };
  let number = 0;
  const flood = ({ connections, next, answersPerShot = 1, localAddress }: FloodOptions): void => {
    for (let connection = 0; connection < connections; connection += 1) {
      const from = localAddress === undefined ? {} : { localAddress: localAddress(connection) };
      connect(from, (socket) => {
        let due = answersPerShot;
        const send = (): void => {
          due = answersPerShot;
          socket.write(next(number++));
        };
        socket.once('connect', send);
        const read = readAnswers((status) => {
          count(String(status));
          due -= 1;
          if (due === 0 && socket.writable) send();
        });
        socket.on('data', (bytes: Buffer) => {
          if (!read(bytes)) socket.destroy();
        });
        // The server answered and closed; the close event opens another connection.
        socket.once('end', () => socket.destroy());
      });
    }
  };
  const stall = ({ connections, first, drip }: StallOptions): void => {
    for (let connection = 0; connection < connections; connection += 1) {
      connect({ highWaterMark: READ_BYTES } as Partial<net.NetConnectOpts>, (socket) => {
        socket.once('connect', () => {
          count('connected');
          socket.write(first(connection));
        });
        socket.once('data', (bytes: Buffer) => {
          count(bytes.toString('latin1', 9, 12));
          socket.pause();
        });
        socket.once('end', () => socket.destroy());
        if (drip === undefined) return;
        const timer = setInterval(() => socket.writable && socket.write(drip.piece), drip.everyMs);
        socket.once('close', () => clearInterval(timer));
      });
    }
  };
  const compute = (): void => {
    const until = performance.now() + COMPUTE_MS;
    while (performance.now() < until);
    if (!isOver) setImmediate(compute);
  };
  return {
    seen,
    compute,
    flood,
    stall,
    close: () => {
      isOver = true;
      for (const socket of open) socket.destroy();
    },
  };
}
