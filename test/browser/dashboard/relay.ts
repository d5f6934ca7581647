import { once } from 'node:events';
import net from 'node:net';

/** A network between a browser and the service that can be cut and restored. */
export interface Relay {
  readonly url: string;
  /** Breaks all connections and refuses new ones until it is restored. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

/** `url`: of the service, on loopback. */
export async function startRelay(url: string): Promise<Relay> {
  const port = Number(new URL(url).port);
  const open = new Set<net.Socket>();
  let isCut = false;
  const track = (socket: net.Socket): net.Socket => {
    open.add(socket);
    // Broken connections are the purpose of this relay.
    return socket.on('error', () => undefined).on('close', () => open.delete(socket));
  };
  const destroyAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  const server = net.createServer((browser) => {
    if (isCut) {
      browser.on('error', () => undefined).destroy();
      return;
    }
    const service = track(net.connect(port, '127.0.0.1'));
    track(browser)
      .pipe(service)
      .on('close', () => browser.destroy())
      .pipe(browser)
      .on('close', () => service.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    cut: () => {
      isCut = true;
      destroyAll();
    },
    restore: () => {
      isCut = false;
    },
    close: async () => {
      destroyAll();
      server.close();
      await once(server, 'close');
    },
  };
}
