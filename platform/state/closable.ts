import { type State, StateUnavailable } from './port.ts';

/**
 * A state that refuses every call while `refusal` returns a reason. Calls in flight are not affected; `close` always
 * works.
 */
export function closableState(state: State, refusal: () => string | null): State {
  const refuse = async (reason: string): Promise<never> => {
    throw new StateUnavailable(reason);
  };
  const guarded = <Calls extends object>(calls: Calls): Calls =>
    new Proxy(calls, {
      get: (target, name) => {
        const reason = refusal();
        return reason === null ? Reflect.get(target, name) : () => refuse(reason);
      },
    });
  const unlessRefused = <Result>(call: () => Promise<Result>): Promise<Result> => {
    const reason = refusal();
    return reason === null ? call() : refuse(reason);
  };
  return {
    documents: guarded(state.documents),
    admission: guarded(state.admission),
    idempotency: guarded(state.idempotency),
    expiring: guarded(state.expiring),
    ping: () => unlessRefused(() => state.ping()),
    connections: () => state.connections(),
    removeRemains: (remains, gone) => unlessRefused(() => state.removeRemains(remains, gone)),
    scrub: (gone) => unlessRefused(() => state.scrub(gone)),
    close: () => state.close(),
  };
}
