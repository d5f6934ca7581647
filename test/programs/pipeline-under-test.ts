import { BroadcastChannel, workerData } from 'node:worker_threads';
import type { PipelineData } from '#app/pipeline-messages.ts';
import { servePipeline } from '#app/serve-pipeline.ts';
import { COMMANDS, type Command, compositionOf } from './injected.ts';

/** Main module of the thread of analyzer, sink and correlator in the tests' own program. */
servePipeline(workerData as PipelineData, compositionOf(process.env));

const commands = new BroadcastChannel(COMMANDS);
commands.onmessage = (event) => {
  // The thread ends, as after a fault.
  if ((event as { data: Command }).data.endPipeline !== undefined) process.exit(1);
};
commands.unref();
