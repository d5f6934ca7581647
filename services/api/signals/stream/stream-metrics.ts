import { Counter, Gauge, type Registry } from 'prom-client';

const OPEN = 'cas_signal_streams_open';
const QUEUED = 'cas_signal_streams_queued_bytes';
const OVERFLOWS = 'cas_signal_streams_overflows_total';

interface Counted {
  readonly open: () => number;
  readonly queuedBytes: () => number;
}

/** Metrics of the listener that serves streams; a process has one. Returns the counter of disconnected slow clients. */
export function streamMetrics(registry: Registry, { open, queuedBytes }: Counted): Counter {
  const known = registry.getSingleMetric(OVERFLOWS) as Counter | undefined;
  if (known !== undefined) return known;
  new Gauge({
    name: OPEN,
    help: 'Open event streams of signals',
    registers: [registry],
    collect() {
      this.set(open());
    },
  });
  new Gauge({
    name: QUEUED,
    help: 'Bytes queued for clients of event streams; shared events count once per client',
    registers: [registry],
    collect() {
      this.set(queuedBytes());
    },
  });
  return new Counter({
    name: OVERFLOWS,
    help: 'Event streams closed because the client did not read',
    registers: [registry],
  });
}
