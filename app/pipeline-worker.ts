import { workerData } from 'node:worker_threads';
import type { PipelineData } from './pipeline-messages.ts';
import { servePipeline } from './serve-pipeline.ts';

/** Main module of the thread that runs analyzer, sink and correlator. */
servePipeline(workerData as PipelineData);
