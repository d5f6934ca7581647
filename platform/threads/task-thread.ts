import { parentPort, type Transferable } from 'node:worker_threads';

/**
 * Messages from a task thread to its pool. A failed task reports only the class of its error: a message may quote its
 * bytes.
 */
export type TaskNews = 'ready' | { readonly result: Uint8Array } | { readonly failed: string };

/** Buffers to transfer with the bytes, so that they are not copied. */
export const movesWith = ({ buffer }: Uint8Array): Transferable[] =>
  buffer instanceof ArrayBuffer ? [buffer] : [];

/** Processes tasks one after the other. The bytes of a result must be its own, because they are moved to the pool. */
export function answerTasks(work: (task: Uint8Array) => Uint8Array): void {
  if (parentPort === null) throw new Error('tasks must run in a thread of a pool');
  const port = parentPort;
  const send = (news: TaskNews, moves: Transferable[] = []): void => port.postMessage(news, moves);
  port.on('message', (task: Uint8Array) => {
    try {
      const result = work(task);
      send({ result }, movesWith(result));
    } catch (error) {
      send({ failed: error instanceof Error ? error.name : typeof error });
    }
  });
  send('ready');
}
