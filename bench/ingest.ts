import { ingestDistributed } from './ingest/distributed.ts';
import { ingestEmbedded } from './ingest/embedded.ts';
import { optionsOf } from './options.ts';

/**
 * Ingest over HTTP, everything on this machine, the load generator included. Embedded: runs at one rate, in requests of
 * one audit or of 500 (`--batch`), with their latency and CPU, and what they take of disk and memory. `--warm-up 0
 * --runs 7 --seconds 25 --rate 300` shows the first minutes of a service's life. `--distributed`: one process of each
 * role on real servers, and what each uses per 1,000 audits a second; `--naive`: next to a naive pipeline.
 */
const { values } = optionsOf('ingest', {
  rate: 500,
  seconds: 30,
  runs: 2,
  'warm-up': 10,
  batch: false,
  profile: null,
  distributed: false,
  naive: false,
});
const load = { rate: values.rate, seconds: values.seconds, runs: values.runs };
if (values.distributed || values.naive) await ingestDistributed({ ...load, besideNaive: values.naive });
else {
  const { batch, profile } = values;
  await ingestEmbedded({ ...load, warmUpSeconds: values['warm-up'], inBatches: batch, profile });
}
