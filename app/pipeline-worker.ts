import { workerData } from 'node:worker_threads';
import type { PipelineData } from './pipeline-messages.ts';
import { servePipeline } from './serve-pipeline.ts';

/** Main module of the thread in which analyzer, sink and correlator work. */
servePipeline(workerData as PipelineData);
