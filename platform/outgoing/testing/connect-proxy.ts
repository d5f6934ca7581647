import { createServer, request as forward, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ConnectProxy {
  readonly port: number;
  /** Request lines (`CONNECT host:port`, `GET http://host:port/...`) as received. */
  readonly asked: string[];
  close(): Promise<void>;
}

/**
 * A proxy on loopback, like those in companies: tunnels for https, forwarded requests for http. Every host name
 * resolves to this machine, and trailers are dropped. `password`: of the user `ann`; others are refused with 407.
 */
export async function startConnectProxy({
  password,
}: {
  readonly password?: string;
} = {}): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = password === undefined ? null : `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;
  const isRefused = ({ headers }: IncomingMessage): boolean =>
    wanted !== null && headers['proxy-authorization'] !== wanted;

  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (isRefused(request)) return void response.writeHead(407).end();
    const url = new URL(request.url!);
    const { method } = request;
    const { 'proxy-authorization': _own, ...headers } = request.headers;
    const passed = forward({
      host: '127.0.0.1',
      port: url.port,
      path: url.pathname + url.search,
      method,
      headers,
    });
    passed.once('response', (answer) => {
      const { trailer: _dropped, ...kept } = answer.headers;
      response.writeHead(answer.statusCode!, kept);
      answer.pipe(response);
    });
    passed.once('error', () => response.writeHead(502).end());
    request.pipe(passed);
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    asked.push(`CONNECT ${request.url}`);
    client.on('error', () => undefined);
    if (isRefused(request)) return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const target = connect(Number(request.url!.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.write(head);
      target.pipe(client).pipe(target);
    });
    sockets.add(target);
    target.on('error', () => client.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await closed;
    },
  };
}
