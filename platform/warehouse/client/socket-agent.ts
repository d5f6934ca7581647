import { lstatSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { refuseOpenFolder } from '#platform/data-folder/private-folder.ts';
import { openSocketFolder } from '#platform/data-folder/socket-folder.ts';
import { WarehouseUnavailable } from '../port.ts';

/** Name of the engine's socket in its folder. */
export const ENGINE_SOCKET = 'engine.sock';

/**
 * Connections to the engine of a data folder. The first request gives the process at the other end the password and its
 * rows, so connections are made only while the folder is closed to other users and the socket is our own.
 */
export function socketAgent(folder: string, maxSockets: number): http.Agent {
  const agent = new http.Agent({ keepAlive: true, maxSockets });
  agent.createConnection = () => {
    try {
      return connectTo(folder);
    } catch (error) {
      return brokenConnection(unavailable(error));
    }
  };
  return agent;
}

/**
 * A connection that fails with this error, like a refused one. Throwing the error or passing it to the callback would
 * leave the requests queued after this one waiting forever.
 */
function brokenConnection(error: Error): net.Socket {
  const socket = Object.assign(new net.Socket(), { connecting: true });
  setImmediate(() => socket.destroy(error));
  return socket;
}

function connectTo(folder: string): net.Socket {
  const opened = openSocketFolder(folder);
  try {
    refuseOpenFolder(folder, opened.stats());
    const file = opened.at(ENGINE_SOCKET);
    const { uid } = lstatSync(file);
    if (uid !== (process.geteuid?.() ?? uid)) {
      throw new Error(
        `the socket ${ENGINE_SOCKET} in ${folder} belongs to another user (${uid}); nothing was sent to it`,
      );
    }
    const socket = net.connect({ path: file });
    // The system call in the line above has already resolved the address.
    socket.once('connect', opened.close).once('close', opened.close);
    return socket;
  } catch (error) {
    opened.close();
    throw error;
  }
}

function unavailable(error: unknown): WarehouseUnavailable {
  const { code, message } = error as NodeJS.ErrnoException;
  return new WarehouseUnavailable(code === undefined ? message : `no connection (${code})`, null);
}
