import { once } from 'node:events';
import net from 'node:net';

/** A network between a browser and the service, which can be cut and mended. */
export interface Relay {
  readonly url: string;
  /** Breaks what goes through, and lets nothing through until it is mended. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** `url`: of the service, on loopback. */
export async function startRelay(url: string): Promise<Relay> {
  const port = Number(new URL(url).port);
  const open = new Set<net.Socket>();
  let isCut = false;
  const track = (socket: net.Socket): net.Socket => {
    open.add(socket);
    // Whoever goes away in the middle is what this is for.
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
    mend: () => {
      isCut = false;
    },
    close: async () => {
      destroyAll();
      server.close();
      await once(server, 'close');
    },
  };
}
