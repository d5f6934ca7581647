/** Messages between the embedded warehouse's parent and child over their IPC channel. */

export interface StartMessage {
  readonly type: 'start';
  readonly path: string;
  /** On loopback, 0 lets the system choose one; null: a socket in the folder instead. */
  readonly port: number | null;
  readonly password: string;
}

/** The engine exits with this code when its socket was removed or replaced. */
export const SOCKET_LOST_EXIT_CODE = 3;

export type ChildMessage =
  /** `strangerId`: the user whose file was in the socket's place and was removed. */
  | { readonly type: 'ready'; readonly strangerId: number | null }
  | { readonly type: 'failed'; readonly message: string };
