import { lstatSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { refuseOpenFolder } from '../runtime/private-folder.ts';
import { openSocketFolder } from '../runtime/socket-folder.ts';
import { WarehouseUnavailable } from './port.ts';

/** Name of the engine's socket in its folder. */
export const ENGINE_SOCKET = 'engine.sock';

/**
 * Connections to the engine of a data folder. Whoever holds the other end gets the password and every row with the
 * first request, so that each connection is made only while the folder is closed to others and the socket is our own.
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
 * A connection that fails as a refused one does, with this error. An error that is thrown or called back instead would
 * leave the requests that wait behind this one without their turn.
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
        `the socket ${ENGINE_SOCKET} in ${folder} belongs to user ${uid}, who put it in the engine's place; nothing was sent there`,
      );
    }
    const socket = net.connect({ path: file });
    // The address is resolved by the system call that the line above made.
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
