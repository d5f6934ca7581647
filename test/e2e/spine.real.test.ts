import { startDistributed } from '../helpers/distributed.ts';
import { describeOnStack, startTestStack } from '../helpers/stack.ts';
import { describeSpine } from './spine.scenario.ts';

describeOnStack('one process per role, two analyzers and two sinks', () => {
  describeSpine('distributed', async () => {
    const stack = await startTestStack();
    return { start: () => startDistributed({ settings: stack.settings }), dispose: stack.stop };
  });
});
