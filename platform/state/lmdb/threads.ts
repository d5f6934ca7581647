import type { MessagePort } from 'node:worker_threads';
import { answerCalls, callOver, receiveError, type SentError } from '#platform/threads/calls.ts';
import type { Remains } from '../check-remains.ts';
import { DamagedDocument } from '../damaged-document.ts';
import { type ReserveOutcome, type ReserveRequest, type State, StateUnavailable } from '../port.ts';

/**
 * The state in two threads of one process: the thread that opened it executes every call, and the other forwards its
 * calls. Values are copied on the way, so nothing is shared.
 */

type Group = 'documents' | 'admission' | 'idempotency' | 'expiring';

/** Answers the calls of another thread (`stateOver`) with this state, until the port closes. */
export function serveState(port: MessagePort, state: State): void {
  const gone = new AbortController();
  port.once('close', () => gone.abort());
  answerCalls(port, {
    call: async (group: Group, name: string, args: readonly unknown[]) => {
      if (group === 'admission' && name === 'reserve') return reserve(state, args[0] as ReserveRequest);
      const calls = state[group] as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
      return calls[name]!(...args);
    },
    ping: () => state.ping(),
    removeRemains: (remains: Remains) => state.removeRemains(remains, gone.signal),
    scrub: () => state.scrub(gone.signal),
  });
}

/** A promise cannot be sent, so another thread gets its reservation once it is stored. */
const reserve = ({ admission }: State, request: ReserveRequest): Promise<ReserveOutcome> =>
  admission.reserve({ ...request, early: false });

/** A state that another thread owns. `close` ends the connection and leaves the state open. */
export function stateOver(port: MessagePort): State {
  const thread = callOver(port, receiveStateError);
  /** Forwards every call by its name. */
  const group = <Name extends Group>(name: Name): State[Name] =>
    new Proxy({} as State[Name], {
      get:
        (_, call) =>
        (...args: readonly unknown[]) =>
          thread.call('call', [name, String(call), args]),
    });
  return {
    documents: group('documents'),
    admission: group('admission'),
    idempotency: group('idempotency'),
    expiring: group('expiring'),
    ping: () => thread.call('ping'),
    // Only the thread that opened the state needs to watch this.
    connections: () => 0,
    removeRemains: (remains, gone) => abortableBy(gone, () => thread.call('removeRemains', [remains])),
    scrub: (gone) => abortableBy(gone, () => thread.call('scrub')),
    close: async () => thread.close(),
  };
}

/** Aborting here does not stop the work in the other thread, which ends by itself. */
function abortableBy<Result>(gone: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    gone.throwIfAborted();
    gone.addEventListener('abort', () => reject(gone.reason), { once: true });
    work().then(resolve, reject);
  });
}

/** When the other thread is gone, the state is unavailable and the outcome of the call is unknown. */
function receiveStateError(error: SentError): Error {
  if (error.name === 'DamagedDocument') return DamagedDocument.received(error.message);
  return error.name === 'StateUnavailable' || error.name === 'ThreadGone'
    ? new StateUnavailable(error.message)
    : receiveError(error);
}
