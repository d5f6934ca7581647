import type { EventLog } from '#platform/event-log/port.ts';
import type { State } from '#platform/state/port.ts';
import type { RetryRoute } from '#platform/stream/failure/retry-route.ts';
import type { StreamOptions } from '#platform/stream/partition/options.ts';
import { runStream, type Stream, topicsWithRetries } from '#platform/stream/run-stream.ts';
import { stateEpoch } from '#records/epoch/epoch.ts';
import { partitionStops } from '#records/losses/partition-stops.ts';
import { DEAD_LETTERS, RETRY_1, RETRY_2, RETRY_DELAYS_MS, TRIPLETS } from '#schemas/topics.ts';
import type { Analyzer } from './pipeline.ts';

export const ANALYZER_GROUP = 'analyzer';

/** Three attempts in all: the first and one per retry topic. */
export const ANALYZER_ROUTE: RetryRoute = {
  retries: [RETRY_1, RETRY_2].map(({ name }) => ({ topic: name, delayMs: RETRY_DELAYS_MS[name] as number })),
  deadLetters: DEAD_LETTERS.name,
};

export const ANALYZER_TOPICS = topicsWithRetries([TRIPLETS.name], ANALYZER_ROUTE);

interface AnalyzerStreamDependencies
  extends Pick<StreamOptions, 'logger' | 'metrics' | 'onAppended' | 'now' | 'limits' | 'onStopped'> {
  readonly log: EventLog;
  readonly state: Pick<State, 'documents' | 'expiring'>;
  readonly analyzer: Analyzer;
  /** Where failed records go; the service's own route unless a test wants shorter delays. */
  readonly route?: RetryRoute;
}

/** Joins the analyzers' group and runs until stopped. */
export function runAnalyzer(dependencies: AnalyzerStreamDependencies): Promise<Stream> {
  const { state, analyzer, ...others } = dependencies;
  const stops = partitionStops(state, ANALYZER_GROUP, async () => (await stateEpoch(state))?.epoch ?? null);
  return runStream({
    route: ANALYZER_ROUTE,
    ...others,
    group: ANALYZER_GROUP,
    topics: ANALYZER_TOPICS,
    process: analyzer.process,
    deathMarks: state.expiring,
    skipGap: async (gap) => (await stops.acceptedLoss(gap))?.untilOffset ?? null,
    stops,
  });
}
