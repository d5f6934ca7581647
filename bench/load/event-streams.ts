import { connect, type Socket } from 'node:net';

/** Many streams of server-sent events from one process, each a bare socket: a client with as little memory as possible. */

interface StreamClients {
  readonly open: number;
  /** Bytes that arrived so far. */
  readonly bytes: number;
  readonly broken: number;
  close(): void;
}

interface StreamOptions {
  readonly url: string;
  readonly path: string;
  /** Of client n. */
  readonly keyOf: (n: number) => string;
  /** Local address of client n: the service limits connections by address. */
  readonly addressOf: (n: number) => string;
  /** Text that arrived, with the number of its client. Without it nothing is decoded. */
  readonly onText?: (n: number, text: string) => void;
  /** Client n reads nothing after its headers. */
  readonly isDeaf?: (n: number) => boolean;
}

/** Opens so many streams; resolves when each has had its first bytes. Rejects when one is refused. */
export async function openStreams(count: number, options: StreamOptions): Promise<StreamClients> {
  const sockets = new Set<Socket>();
  const clients = { open: 0, bytes: 0, broken: 0 };
  const { hostname, port } = new URL(options.url);
  const openOne = (n: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: options.addressOf(n) });
      sockets.add(socket);
      socket.write(
        `GET ${options.path} HTTP/1.1\r\nhost: ${hostname}\r\nx-service-key: ${options.keyOf(n)}\r\n\r\n`,
      );
      let isFirst = true;
      socket.on('data', (bytes) => {
        clients.bytes += bytes.length;
        if (isFirst) {
          isFirst = false;
          const head = bytes.toString('latin1', 0, 200);
          if (!head.startsWith('HTTP/1.1 200')) {
            reject(new Error(`a stream was refused: ${head.split('\r\n', 1)[0]}`));
            return;
          }
          clients.open += 1;
          resolve();
          if (options.isDeaf?.(n)) socket.pause();
        }
        options.onText?.(n, bytes.toString());
      });
      socket.on('error', reject);
      socket.once('close', () => {
        sockets.delete(socket);
        if (isFirst) return;
        clients.open -= 1;
        clients.broken += 1;
      });
    });
  const AT_ONCE = 50;
  for (let n = 0; n < count; n += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - n) }, (_, i) => openOne(n + i)));
  return {
    get open() {
      return clients.open;
    },
    get bytes() {
      return clients.bytes;
    },
    get broken() {
      return clients.broken;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
