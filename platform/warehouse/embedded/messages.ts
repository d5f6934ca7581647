/** Messages between the embedded warehouse's parent and child over their IPC channel. */

export interface StartMessage {
  readonly type: 'start';
  readonly path: string;
  /** A port on loopback, 0 for one that the system chooses; null: a socket in the folder instead. */
  readonly port: number | null;
  readonly password: string;
}

/** Exit code of an engine whose socket was removed or replaced. */
export const SOCKET_LOST_EXIT_CODE = 3;

export type ChildMessage =
  /** `strangerId`: the user who owned a file at the socket's path, which was removed. */
  | { readonly type: 'ready'; readonly strangerId: number | null }
  | { readonly type: 'failed'; readonly message: string };
