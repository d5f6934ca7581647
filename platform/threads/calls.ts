import type { MessagePort, Transferable } from 'node:worker_threads';

/** An error as sent to another thread: its class cannot be sent, so the receiver creates its own. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  /** Additional properties of an error with this name. */
  readonly detail?: unknown;
}

interface SentCall {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

type SentAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SentError };

// biome-ignore lint/suspicious/noExplicitAny: each handler says what it takes; a call names its handler at run time.
type Handler = (...args: any[]) => unknown;

export const sendError = (error: unknown): SentError =>
  error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) };

/** Built-in classes that tell a caller what kind of fault occurred. */
const CLASSES: Readonly<Record<string, new (message: string) => Error>> = { RangeError, TypeError };

export function receiveError({ name, message }: SentError): Error {
  const error = new (CLASSES[name] ?? Error)(message);
  error.name = name;
  return error;
}

/** Answers the calls that arrive on a port. `send` converts a handler's error to what the caller receives. */
export function answerCalls(
  port: MessagePort,
  handlers: Readonly<Record<string, Handler>>,
  send: (error: unknown) => SentError = sendError,
): void {
  port.on('message', async ({ id, name, args }: SentCall) => {
    let answer: SentAnswer;
    try {
      const handler = handlers[name];
      if (handler === undefined) throw new Error(`no thread handles the call "${name}"`);
      answer = { id, value: await handler(...args) };
    } catch (error) {
      answer = { id, error: send(error) };
    }
    port.postMessage(answer);
  });
}

export interface Caller {
  /** Rejects with the other thread's error as converted by `receive`, or if that thread is gone. */
  call<Result>(name: string, args?: readonly unknown[], moves?: readonly Transferable[]): Promise<Result>;
  /** Refuses further calls; those in flight are rejected. */
  close(): void;
}

/** The other thread ended, or the connection to it was closed: the outcome of calls in flight is unknown. */
class ThreadGone extends Error {
  constructor() {
    super('the other thread of this process no longer responds');
    this.name = 'ThreadGone';
  }
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Calls to the other side of a port. Messages that are not answers go to `onMessage`, in the order in which they were
 * sent, before any later answer.
 */
export function callOver(
  port: MessagePort,
  receive: (error: SentError) => Error = receiveError,
  onMessage: (message: unknown) => void = () => undefined,
): Caller {
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  let closed = false;
  const end = (): void => {
    closed = true;
    for (const { reject } of waiting.values()) reject(receive(new ThreadGone()));
    waiting.clear();
  };
  port.on('message', (answer: SentAnswer) => {
    const call = typeof answer?.id === 'number' ? waiting.get(answer.id) : undefined;
    if (call === undefined) {
      onMessage(answer);
      return;
    }
    waiting.delete(answer.id);
    if ('error' in answer) call.reject(receive(answer.error));
    else call.resolve(answer.value as never);
  });
  port.on('close', end);
  return {
    call: (name, args = [], moves = []) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(receive(new ThreadGone()));
          return;
        }
        calls += 1;
        waiting.set(calls, { resolve, reject });
        const sent: SentCall = { id: calls, name, args };
        port.postMessage(sent, moves);
      }),
    close: () => {
      end();
      port.close();
    },
  };
}
