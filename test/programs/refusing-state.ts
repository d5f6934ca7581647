import { closableState } from '#platform/state/closable.ts';
import type { State } from '#platform/state/port.ts';

export interface RefusingState extends State {
  /** Refuses every call for this time; calls in flight are not affected. */
  refuseFor(ms: number): void;
}

/** A state that can be made unreachable. */
export function refusing(state: State): RefusingState {
  let until = 0;
  const refusal = (): string | null =>
    performance.now() < until ? 'the state refuses every call: an outage is being tested' : null;
  return {
    ...closableState(state, refusal),
    refuseFor: (ms) => {
      until = performance.now() + ms;
    },
  };
}
