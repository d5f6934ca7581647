import { ingestDistributed } from './ingest/distributed.ts';
import { ingestEmbedded } from './ingest/embedded.ts';
import { optionsOf } from './options.ts';

/**
 * Ingests over HTTP; service and load generator share this machine. Embedded: runs at one rate, with one or 500 audits
 * per request (`--batch`), and reports latency, CPU, disk and memory. `--warm-up 0 --runs 7 --seconds 25 --rate 300`
 * shows the first minutes after a start. `--distributed`: one process per role on real servers, and the usage of each
 * role per 1,000 audits a second; `--naive` also measures a naive pipeline.
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
if (values.distributed || values.naive) await ingestDistributed({ ...load, withNaive: values.naive });
else {
  const { batch, profile } = values;
  await ingestEmbedded({ ...load, warmUpSeconds: values['warm-up'], inBatches: batch, profile });
}
