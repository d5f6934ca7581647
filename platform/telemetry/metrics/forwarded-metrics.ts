import type { ConsumerMetrics } from './metrics.ts';

/** One recorded call: the method of `ConsumerMetrics` and its arguments. */
export type Counted =
  | readonly [part: 'stream', group: string, method: string, args: readonly unknown[]]
  | readonly [part: 'sink' | 'stages' | 'judge' | 'policies', method: string, args: readonly unknown[]]
  | readonly [part: 'lost', audits: number];

interface ForwardedMetrics {
  readonly metrics: ConsumerMetrics;
  /** Sends the remaining counts. */
  stop(): void;
}

const SEND_EVERY_MS = 1_000;

/** Metrics of a thread without a registry: its counts are sent periodically to the thread that has one. */
export function forwardMetrics(send: (counted: readonly Counted[]) => void): ForwardedMetrics {
  let counted: Counted[] = [];
  const flush = (): void => {
    if (counted.length === 0) return;
    send(counted);
    counted = [];
  };
  const timer = setInterval(flush, SEND_EVERY_MS);
  timer.unref();
  return {
    metrics: {
      stream: (group) => counting((method, args) => counted.push(['stream', group, method, args])),
      sink: counting((method, args) => counted.push(['sink', method, args])),
      stages: counting((method, args) => counted.push(['stages', method, args])),
      judge: counting((method, args) => counted.push(['judge', method, args])),
      policies: counting((method, args) => counted.push(['policies', method, args])),
      lost: (audits) => {
        counted.push(['lost', audits]);
      },
    },
    stop: () => {
      clearInterval(timer);
      flush();
    },
  };
}

/** Records every method call, whatever its name. */
const counting = <Counts extends object>(note: (method: string, args: readonly unknown[]) => void): Counts =>
  new Proxy({} as Counts, {
    get:
      (_, method) =>
      (...args: readonly unknown[]) =>
        note(String(method), args),
  });

type Methods = Readonly<Record<string, ((...args: readonly unknown[]) => void) | undefined>>;

/** Records what another thread has counted. */
export function countForwarded(metrics: ConsumerMetrics, counted: readonly Counted[]): void {
  for (const one of counted) {
    if (one[0] === 'stream') (metrics.stream(one[1]) as unknown as Methods)[one[2]]?.(...one[3]);
    else if (one[0] === 'lost') metrics.lost(one[1]);
    else (metrics[one[0]] as unknown as Methods)[one[1]]?.(...one[2]);
  }
}
