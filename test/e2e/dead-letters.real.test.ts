import { startDistributed } from '../helpers/distributed.ts';
import { describeOnStack, startTestStack } from '../helpers/stack.ts';
import { describeReplay } from './dead-letters.scenario.ts';

describeOnStack('one process per role', () => {
  describeReplay('distributed', async () => {
    const stack = await startTestStack();
    return {
      start: (environment) =>
        startDistributed({ settings: { ...stack.settings, ...environment }, analyzers: 1, sinks: 1 }),
      dispose: stack.stop,
    };
  });
});
