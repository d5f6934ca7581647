/** What the embedded warehouse's parent and child say to each other over their IPC channel. */

export interface StartMessage {
  readonly type: 'start';
  readonly path: string;
  /** 0 lets the system choose one. */
  readonly port: number;
  readonly password: string;
}

export type ChildMessage =
  | { readonly type: 'ready'; readonly port: number }
  | { readonly type: 'failed'; readonly message: string };
