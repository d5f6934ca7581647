import { type State, StateUnavailable } from './port.ts';

export interface FaultyState extends State {
  /** Every call is refused from now on for `ms` milliseconds. */
  refuseFor(ms: number): void;
  /** Every call is refused until `accept`. */
  refuse(): void;
  accept(): void;
}

/** A state that can be made unreachable, for tests of outages. Calls in flight are left alone; `close` always works. */
export function withFaults(state: State): FaultyState {
  let refusing = false;
  let timer: NodeJS.Timeout | undefined;

  function switchTo(refuses: boolean): void {
    clearTimeout(timer);
    refusing = refuses;
  }

  async function refuseCall(): Promise<never> {
    throw new StateUnavailable('the state refuses every call: an outage is being tested');
  }

  const guarded = <Calls extends object>(calls: Calls): Calls =>
    new Proxy(calls, { get: (target, name) => (refusing ? refuseCall : Reflect.get(target, name)) });

  return {
    documents: guarded(state.documents),
    admission: guarded(state.admission),
    idempotency: guarded(state.idempotency),
    expiring: guarded(state.expiring),
    ping: () => (refusing ? refuseCall() : state.ping()),
    connections: () => state.connections(),
    removeRemains: (remains, gone) => (refusing ? refuseCall() : state.removeRemains(remains, gone)),
    scrub: (gone) => (refusing ? refuseCall() : state.scrub(gone)),
    close() {
      clearTimeout(timer);
      return state.close();
    },
    refuseFor(ms) {
      switchTo(true);
      timer = setTimeout(() => switchTo(false), ms).unref();
    },
    refuse: () => switchTo(true),
    accept: () => switchTo(false),
  };
}
