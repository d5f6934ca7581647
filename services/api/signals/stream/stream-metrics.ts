import { Counter, Gauge, type Registry } from 'prom-client';

const OPEN = 'cas_streams_open';
const QUEUED = 'cas_streams_queued_bytes';
const OVERFLOWS = 'cas_streams_overflows_total';

interface Counted {
  readonly open: () => number;
  readonly queuedBytes: () => number;
}

/** Of the listener that serves streams; a process has one. Returns the counter of clients that were given up. */
export function streamMetrics(registry: Registry, { open, queuedBytes }: Counted): Counter {
  const known = registry.getSingleMetric(OVERFLOWS) as Counter | undefined;
  if (known !== undefined) return known;
  new Gauge({
    name: OPEN,
    help: 'Streams of signals that are open',
    registers: [registry],
    collect() {
      this.set(open());
    },
  });
  new Gauge({
    name: QUEUED,
    help: 'Bytes that wait for clients of streams; what several clients get counts for each of them',
    registers: [registry],
    collect() {
      this.set(queuedBytes());
    },
  });
  return new Counter({
    name: OVERFLOWS,
    help: 'Streams that were ended because their client did not read',
    registers: [registry],
  });
}
