import { closableState } from './closable.ts';
import type { State } from './port.ts';

export interface FaultyState extends State {
  /** Every call is refused from now on for `ms` milliseconds. */
  refuseFor(ms: number): void;
  /** Every call is refused until `accept`. */
  refuse(): void;
  accept(): void;
}

const REFUSAL = 'the state refuses every call: an outage is being tested';

/** A state that can be made unreachable, for tests of outages. Calls in flight are left alone; `close` always works. */
export function withFaults(state: State): FaultyState {
  let refusing = false;
  let timer: NodeJS.Timeout | undefined;

  function switchTo(refuses: boolean): void {
    clearTimeout(timer);
    refusing = refuses;
  }

  return {
    ...closableState(state, () => (refusing ? REFUSAL : null)),
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
