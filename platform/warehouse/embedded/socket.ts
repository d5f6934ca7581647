import { once } from 'node:events';
import { lstatSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { openSocketFolder } from '#platform/data-folder/socket-folder.ts';
import { ENGINE_SOCKET } from '../client/socket-agent.ts';

interface EngineSocket {
  /** The user who owned a file at the socket's path, which was removed; null if there was none. */
  readonly strangerId: number | null;
  /** Calls `call` once when the socket in the folder is no longer the one being listened on. */
  onLost(call: () => void): void;
  /** Announces that the socket is being closed on purpose, which is not a loss. */
  leave(): void;
}

const WATCH_MS = 1_000;

/**
 * Makes the server listen on the socket of its folder. Only the process that holds the engine's lock on the folder may
 * call this: it removes an earlier socket.
 */
export async function listenInFolder(server: Server, path: string): Promise<EngineSocket> {
  const folder = openSocketFolder(path);
  const file = folder.at(ENGINE_SOCKET);
  const left = lstatSync(file, { throwIfNoEntry: false });
  if (left?.isDirectory()) {
    throw new Error(`cannot create the socket of the warehouse: ${ENGINE_SOCKET} is a folder; remove it`);
  }
  rmSync(file, { force: true });
  await once(server.listen({ path: file }), 'listening');
  const own = lstatSync(file).ino;
  let timer: NodeJS.Timeout | null = null;
  return {
    strangerId: left === undefined || left.uid === process.geteuid?.() ? null : left.uid,
    onLost: (call) => {
      timer = setInterval(() => {
        if (lstatSync(file, { throwIfNoEntry: false })?.ino === own) return;
        clearInterval(timer!);
        call();
      }, WATCH_MS).unref();
    },
    leave: () => clearInterval(timer ?? undefined),
  };
}
