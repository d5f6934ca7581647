import { describeStateContract } from '#platform/state/contract.ts';
import { NOON } from '#platform/state/testing/contract-seed.ts';
import { createDurableState } from './state.ts';

describeStateContract('simulated', async () => {
  let at = NOON;
  const options = { now: () => at, replicated: false };
  let durable = createDurableState(options);
  return {
    get state() {
      return durable.state;
    },
    now: () => at,
    advance: async (ms) => {
      at += ms;
    },
    reopen: async () => {
      await durable.state.close();
      const kept = durable.snapshot();
      durable = createDurableState(options);
      durable.restore(kept);
    },
    dispose: () => durable.state.close(),
  };
});
