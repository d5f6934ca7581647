import type { ConsumerMetrics } from './metrics.ts';

/** One thing that was counted: the method of `ConsumerMetrics` and what it was called with. */
export type Counted =
  | readonly [part: 'stream', group: string, method: string, args: readonly unknown[]]
  | readonly [part: 'sink' | 'judge', method: string, args: readonly unknown[]]
  | readonly [part: 'lost', audits: number];

export interface ForwardedMetrics {
  readonly metrics: ConsumerMetrics;
  /** Sends what is left. */
  stop(): void;
}

const SEND_EVERY_MS = 1_000;

/** Metrics of a thread without a registry: what it counts is sent to the thread that has one, from time to time. */
export function forwardMetrics(send: (counted: readonly Counted[]) => void): ForwardedMetrics {
  let counted: Counted[] = [];
  const flush = (): void => {
    if (counted.length === 0) return;
    send(counted);
    counted = [];
  };
  const timer = setInterval(flush, SEND_EVERY_MS);
  timer.unref();
  const stream =
    (group: string, method: string) =>
    (...args: readonly unknown[]): void => {
      counted.push(['stream', group, method, args]);
    };
  const of =
    (part: 'sink' | 'judge', method: string) =>
    (...args: readonly unknown[]): void => {
      counted.push([part, method, args]);
    };
  return {
    metrics: {
      stream: (group) => ({
        records: stream(group, 'records'),
        batch: stream(group, 'batch'),
        outage: stream(group, 'outage'),
        lag: stream(group, 'lag'),
        stopped: stream(group, 'stopped'),
      }),
      sink: {
        flush: of('sink', 'flush'),
        repeats: of('sink', 'repeats'),
        unreadable: of('sink', 'unreadable'),
        contradictions: of('sink', 'contradictions'),
      },
      judge: { call: of('judge', 'call'), notJudged: of('judge', 'notJudged') },
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

type Methods = Readonly<Record<string, ((...args: readonly unknown[]) => void) | undefined>>;

/** Counts what another thread has sent. */
export function countForwarded(metrics: ConsumerMetrics, counted: readonly Counted[]): void {
  for (const one of counted) {
    if (one[0] === 'stream') (metrics.stream(one[1]) as unknown as Methods)[one[2]]?.(...one[3]);
    else if (one[0] === 'lost') metrics.lost(one[1]);
    else (metrics[one[0]] as unknown as Methods)[one[1]]?.(...one[2]);
  }
}
