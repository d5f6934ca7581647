import { rm, stat } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

export interface DataLock {
  release(): Promise<void>;
}

/**
 * Claims a data folder for this process until `release` or the end of the process, however it ends. The claim is a
 * bound socket that the kernel takes back by itself, named after the folder's device and inode, so that two paths
 * to one folder are one claim. Rejects when the folder is missing or claimed, by another process or by this one.
 * On Linux the name is abstract and so belongs to a network namespace: do not give one folder to two containers.
 */
export async function acquireDataLock(dataDir: string): Promise<DataLock> {
  const { dev, ino } = await stat(dataDir, { bigint: true });
  const name = `cas-${dev.toString(36)}-${ino.toString(36)}`;
  const server = await bind(name);
  if (server === null) {
    throw new Error(
      `the data folder ${path.resolve(dataDir)} is in use by a running service. Stop that one first, or start this one with another data folder.`,
    );
  }
  // Nobody is served: a connection only proves to a later claimant that the holder lives.
  server.on('connection', (socket) => socket.destroy());
  server.unref();
  return {
    release: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function bind(name: string): Promise<net.Server | null> {
  if (process.platform === 'linux') return listen(`\0${name}`);
  if (process.platform === 'win32') return listen(`\\\\.\\pipe\\${name}`);
  const file = path.join(os.tmpdir(), `${name}.sock`);
  const server = await listen(file);
  if (server !== null || (await answers(file))) return server;
  // Nobody listens behind the file: its holder died without removing it.
  await rm(file, { force: true });
  return listen(file);
}

/** Null when the address is taken. */
function listen(address: string): Promise<net.Server | null> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen({ path: address, exclusive: true }, () => {
      server.removeAllListeners('error');
      resolve(server);
    });
  });
}

function answers(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(file);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
