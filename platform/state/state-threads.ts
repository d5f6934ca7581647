import type { MessagePort } from 'node:worker_threads';
import { answerCalls, callOver, receiveError, type SentError } from '../threads/calls.ts';
import {
  type Remains,
  type ReserveOutcome,
  type ReserveRequest,
  type State,
  StateUnavailable,
} from './port.ts';

/**
 * The state in two threads of one process: the thread that opened it decides every call, another one hands its calls
 * over. Values are copied on the way, so nothing that is read is shared.
 */

type Group = 'documents' | 'admission' | 'idempotency' | 'expiring';

/** Every call of the port by name: one that is missing here does not compile. */
const CALLS: { readonly [Name in Group]: Readonly<Record<keyof State[Name], true>> } = {
  documents: {
    get: true,
    list: true,
    ids: true,
    write: true,
    claimed: true,
    pending: true,
    clearPending: true,
    withPending: true,
  },
  admission: {
    authenticate: true,
    takeRate: true,
    reserve: true,
    abandon: true,
    auditCount: true,
    countAdmitted: true,
    admittedCount: true,
    removeAdmittedCount: true,
    pendingMark: true,
    setPendingMark: true,
    removePendingMarks: true,
    lastUsed: true,
  },
  idempotency: { begin: true, settle: true, forget: true, release: true },
  expiring: { get: true, set: true, setIfAbsent: true, claim: true, claimed: true, delete: true },
};

/** Answers the calls of another thread (`stateOver`) with this state, until the port closes. */
export function serveState(port: MessagePort, state: State): void {
  const gone = new AbortController();
  port.once('close', () => gone.abort());
  answerCalls(port, {
    call: async (group: Group, name: string, args: readonly unknown[]) => {
      if (group === 'admission' && name === 'reserve') return reserve(state, args[0] as ReserveRequest);
      return (state[group] as unknown as Record<string, (...args: readonly unknown[]) => unknown>)[name]?.(
        ...args,
      );
    },
    ping: () => state.ping(),
    removeRemains: (remains: Remains) => state.removeRemains(remains, gone.signal),
    scrub: () => state.scrub(gone.signal),
  });
}

/** A promise does not travel: another thread gets its reservation when it is stored. */
const reserve = ({ admission }: State, request: ReserveRequest): Promise<ReserveOutcome> =>
  admission.reserve({ ...request, early: false });

/** A state that another thread has. `close` ends the connection and leaves the state open. */
export function stateOver(port: MessagePort): State {
  const thread = callOver(port, receiveStateError);
  const group = <Name extends Group>(name: Name): State[Name] =>
    Object.fromEntries(
      Object.keys(CALLS[name]).map((call) => [
        call,
        (...args: readonly unknown[]) => thread.call('call', [name, call, args]),
      ]),
    ) as unknown as State[Name];
  return {
    documents: group('documents'),
    admission: group('admission'),
    idempotency: group('idempotency'),
    expiring: group('expiring'),
    ping: () => thread.call('ping'),
    // The thread that opened the state watches over it.
    connections: () => 0,
    removeRemains: (remains, gone) => givenUpBy(gone, () => thread.call('removeRemains', [remains])),
    scrub: (gone) => givenUpBy(gone, () => thread.call('scrub')),
    close: async () => thread.close(),
  };
}

/** Giving up here does not stop the work there, which ends by itself. */
function givenUpBy<Result>(gone: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    gone.throwIfAborted();
    gone.addEventListener('abort', () => reject(gone.reason), { once: true });
    work().then(resolve, reject);
  });
}

/** A thread that is gone is a state that cannot be reached: nobody knows what became of the call. */
function receiveStateError(error: SentError): Error {
  return error.name === 'StateUnavailable' || error.name === 'ThreadGone'
    ? new StateUnavailable(error.message)
    : receiveError(error);
}
